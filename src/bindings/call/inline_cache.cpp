// Which calls can be cached, and the test for a hit.
#include "bindings/call/inline_cache.h"

#include "bindings/call/numpy_types.h"
#include "capture/object_class.h"

#include <algorithm>
#include <cstring>

namespace shapecast::bindings {
namespace {

using capture::classify;
using capture::ObjectClass;

constexpr int comparedFlags =
    NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE;

struct Extent {
    const char *low, *high;
    bool writeable;
};

// Sorted by first byte: each begins after the end of all earlier writeable ones, and a writeable
// one after the end of all earlier ones.
bool areDisjointInOrder(llvm::SmallVectorImpl<Extent> &extents) {
    llvm::erase_if(extents, [](const Extent &e) { return e.low == e.high; });
    llvm::sort(extents, [](const Extent &a, const Extent &b) { return a.low < b.low; });
    const char *end = nullptr, *endOfWriteable = nullptr;
    for (const Extent &e : extents) {
        if (e.low < endOfWriteable || (e.writeable && e.low < end))
            return false;
        end = std::max(end, e.high);
        if (e.writeable)
            endOfWriteable = std::max(endOfWriteable, e.high);
    }
    return true;
}

// As readAliasing() decides it.
bool areDisjoint(llvm::SmallVectorImpl<Extent> &extents) {
    constexpr int maxPairwise = 16; // arrays
    const int count = int(extents.size());
    if (count > maxPairwise)
        return areDisjointInOrder(extents);
    for (int j = 1; j < count; ++j)
        for (int i = 0; i < j; ++i) {
            const Extent &a = extents[i], &b = extents[j];
            if (a.low < b.high && b.low < a.high && a.low != a.high && b.low != b.high &&
                (a.writeable || b.writeable))
                return false;
        }
    return true;
}

// Bytes of a scalar that are copied to its slots; 0 for a dtype that readArguments() extends.
uint8_t plainBytes(DType dtype) {
    const bool isPlain = dtype == DType::F64 || dtype == DType::I64 || dtype == DType::U64 ||
                         dtype == DType::F32 || dtype == DType::C128;
    return isPlain ? uint8_t(itemSize(dtype)) : 0;
}

} // namespace

// False where the argument cannot be cached: readArguments() does more for it.
bool InlineCache::addItem(PyObject *object, KeyWord word) {
    Item item{Item::Identical};
    unsigned slotCount = 0;
    switch (word.kind) {
    case KeyWord::Array:
        if (classify(object) != ObjectClass::Array || word.layout > np::Layout::F)
            return false;
        item.kind = Item::Array;
        item.rank = word.rank;
        item.shift = uint8_t(__builtin_ctzll(itemSize(word.dtype)));
        item.flags = PyArray_FLAGS(reinterpret_cast<PyArrayObject *>(object)) & comparedFlags;
        item.identity =
            reinterpret_cast<PyObject *>(PyArray_DESCR(reinterpret_cast<PyArrayObject *>(object)));
        slotCount = 1 + 2 * unsigned(word.rank);
        break;
    case KeyWord::Scalar:
        item.kind = Item::NumpyScalar;
        item.bytes = plainBytes(word.dtype);
        item.identity = reinterpret_cast<PyObject *>(Py_TYPE(object));
        slotCount = word.dtype == DType::C128 ? 2 : 1;
        if (!item.bytes || Py_TYPE(object) != descriptorOf(word.dtype)->typeobj)
            return false;
        break;
    case KeyWord::PyFloat:
    case KeyWord::PyInt:
    case KeyWord::PyBool:
    case KeyWord::PyComplex:
        item.kind = Item::PyNumber;
        item.identity = reinterpret_cast<PyObject *>(Py_TYPE(object));
        slotCount = word.kind == KeyWord::PyComplex ? 2 : 1;
        if (!capture::isNumber(classify(object)) && classify(object) != ObjectClass::Bool)
            return false;
        break;
    case KeyWord::Static:
    case KeyWord::StaticInt:
    case KeyWord::StaticBool:
        item.identity = object;
        break;
    case KeyWord::PyWideInt:
    case KeyWord::Object:
    case KeyWord::InMemory:
        return false;
    }
    item.firstAlias = uint16_t(items.size());
    item.slot = uint32_t(slots);
    slots += slotCount;
    owned.push_back(Ref::share(item.identity));
    items.push_back(item);
    return true;
}

// Groups identical views, which have to be identical in a hit; false where only some pairs of a
// group alias, or arrays overlap otherwise.
bool InlineCache::setAliases(llvm::ArrayRef<uint64_t> aliases) {
    size_t pairs = 0;
    for (uint64_t word : aliases) {
        const AliasWord alias = AliasWord::unpack(word);
        if (alias.kind != AliasWord::Same)
            return false;
        items[alias.second].firstAlias =
            std::min(items[alias.second].firstAlias, uint16_t(alias.first));
    }
    for (unsigned k = 0; k < items.size(); ++k) {
        arrays += items[k].kind == Item::Array && items[k].firstAlias == k;
        pairs += items[items[k].firstAlias].aliasCount++;
    }
    return pairs == aliases.size();
}

bool InlineCache::update(const Call &call, size_t parameters) {
    if (!call.copies.empty())
        return false;
    *this = InlineCache();
    for (size_t k = 0; k < parameters; ++k)
        if (!addItem(call.arguments[k], KeyWord::unpack(call.key[k])))
            return false;
    return setAliases(llvm::ArrayRef(call.key).drop_front(parameters));
}

// Python's numbers: false where one does not fit into a slot.
static bool readNumber(PyObject *object, int64_t *&slot) {
    if (PyFloat_CheckExact(object)) {
        std::memcpy(slot++, &reinterpret_cast<PyFloatObject *>(object)->ob_fval, sizeof(double));
        return true;
    }
    if (PyLong_CheckExact(object)) {
        int overflow = 0;
        *slot++ = PyLong_AsLongLongAndOverflow(object, &overflow);
        return overflow == 0;
    }
    if (PyComplex_CheckExact(object)) {
        std::memcpy(slot, &reinterpret_cast<PyComplexObject *>(object)->cval, sizeof(Py_complex));
        slot += 2;
        return true;
    }
    *slot++ = object == Py_True;
    return true;
}

[[gnu::hot]] bool InlineCache::match(PyObject *const *arguments, Call &call) const {
    call.slots.resize_for_overwrite(slots);
    int64_t *slot = call.slots.data();
    llvm::SmallVector<Extent, 16> extents;
    int64_t elements = 0;
    for (unsigned k = 0; k < items.size(); ++k) {
        const Item &item = items[k];
        PyObject *object = arguments[k];
        if (item.kind == Item::Array) {
            auto *array = reinterpret_cast<PyArrayObject *>(object);
            if (Py_TYPE(object) != &PyArray_Type || PyArray_NDIM(array) != item.rank ||
                reinterpret_cast<PyObject *>(PyArray_DESCR(array)) != item.identity ||
                (PyArray_FLAGS(array) & comparedFlags) != item.flags)
                return false;
            const npy_intp *sizes = PyArray_DIMS(array), *strides = PyArray_STRIDES(array);
            int64_t count = 1;
            *slot++ = reinterpret_cast<int64_t>(PyArray_DATA(array));
#pragma clang loop vectorize(disable) unroll(disable) // two or three iterations
            for (int d = 0; d < item.rank; ++d, ++slot) {
                slot[0] = sizes[d];
                slot[item.rank] = strides[d] >> item.shift;
                count *= sizes[d];
            }
            slot += item.rank;
            elements += count;
            if (item.firstAlias == k)
                extents.push_back({PyArray_BYTES(array),
                                   PyArray_BYTES(array) + (count << item.shift),
                                   item.aliasCount > 1 || (item.flags & NPY_ARRAY_WRITEABLE)});
            else if (!std::equal(call.slots.data() + item.slot, slot,
                                 call.slots.data() + items[item.firstAlias].slot))
                return false;
        } else if (item.kind == Item::PyNumber) {
            if (reinterpret_cast<PyObject *>(Py_TYPE(object)) != item.identity ||
                !readNumber(object, slot))
                return false;
        } else if (item.kind == Item::NumpyScalar) {
            if (reinterpret_cast<PyObject *>(Py_TYPE(object)) != item.identity)
                return false;
            const char *value = reinterpret_cast<const char *>(object) + sizeof(PyObject);
            *slot = 0;
            std::memcpy(slot, value, item.bytes);
            slot += item.bytes > 8 ? 2 : 1;
        } else if (object != item.identity) {
            return false;
        }
    }
    call.elements = elements;
    return arrays < 2 || areDisjoint(extents);
}

} // namespace shapecast::bindings
