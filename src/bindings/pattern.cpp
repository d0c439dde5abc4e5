// The look of a call's arguments: which calls have one, and reading another of the same.
#include "bindings/pattern.h"
#include "bindings/results.h"

#include <algorithm>
#include <cstring>

namespace shapecast::bindings {
namespace {

constexpr int lookedAt =
    NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE;

struct Extent {
    const char *low, *high;
    bool writeable;
};

// By their first byte: each begins behind all that can be written to and begins before, and one
// that can be written to behind all.
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

// As readAliasing() sees it.
bool areDisjoint(llvm::SmallVectorImpl<Extent> &extents) {
    constexpr int mostPairwise = 16; // arrays
    const int count = int(extents.size());
    if (count > mostPairwise)
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

// Bytes of a scalar that are its slots as they are; 0: of one that readArguments() extends.
uint8_t plainBytes(DType dtype) {
    const bool isPlain = dtype == DType::F64 || dtype == DType::I64 || dtype == DType::U64 ||
                         dtype == DType::F32 || dtype == DType::C128;
    return isPlain ? uint8_t(itemSize(dtype)) : 0;
}

} // namespace

// False: no such item, or readArguments() has more to do for it.
bool Pattern::takeItem(PyObject *object, KeyWord word) {
    Item item{Item::Same};
    unsigned taken = 0; // slots
    switch (word.kind) {
    case KeyWord::Array:
        if (!PyArray_CheckExact(object) || word.layout > np::Layout::F)
            return false;
        item.kind = Item::Array;
        item.rank = word.rank;
        item.shift = uint8_t(__builtin_ctzll(itemSize(word.dtype)));
        item.flags = PyArray_FLAGS(reinterpret_cast<PyArrayObject *>(object)) & lookedAt;
        item.identity =
            reinterpret_cast<PyObject *>(PyArray_DESCR(reinterpret_cast<PyArrayObject *>(object)));
        taken = 1 + 2 * unsigned(word.rank);
        break;
    case KeyWord::Scalar:
        item.kind = Item::Value;
        item.bytes = plainBytes(word.dtype);
        item.identity = reinterpret_cast<PyObject *>(Py_TYPE(object));
        taken = word.dtype == DType::C128 ? 2 : 1;
        if (!item.bytes || Py_TYPE(object) != descriptorOf(word.dtype)->typeobj)
            return false;
        break;
    case KeyWord::PyFloat:
    case KeyWord::PyInt:
    case KeyWord::PyBool:
    case KeyWord::PyComplex:
        item.kind = Item::Number;
        item.identity = reinterpret_cast<PyObject *>(Py_TYPE(object));
        taken = word.kind == KeyWord::PyComplex ? 2 : 1;
        if (!PyFloat_CheckExact(object) && !PyLong_CheckExact(object) && !PyBool_Check(object) &&
            !PyComplex_CheckExact(object))
            return false;
        break;
    case KeyWord::Static:
    case KeyWord::StaticInt:
    case KeyWord::StaticBool:
        item.identity = object;
        break;
    case KeyWord::Object:
        return false;
    }
    item.twin = uint16_t(items.size());
    item.slot = uint32_t(slots);
    slots += taken;
    owned.push_back(Ref::share(item.identity));
    items.push_back(item);
    return true;
}

// Arrays that are the same window of memory must be so again, each with each.
bool Pattern::takeTwins(llvm::ArrayRef<uint64_t> aliases) {
    size_t pairs = 0;
    for (uint64_t word : aliases) {
        const AliasWord alias = AliasWord::unpack(word);
        if (alias.kind != AliasWord::Same)
            return false;
        items[alias.second].twin = std::min(items[alias.second].twin, uint16_t(alias.first));
    }
    for (unsigned k = 0; k < items.size(); ++k) {
        arrays += items[k].kind == Item::Array && items[k].twin == k;
        pairs += items[items[k].twin].twins++;
    }
    return pairs == aliases.size();
}

bool Pattern::take(const Call &call, size_t parameters) {
    if (!call.copies.empty())
        return false;
    *this = Pattern();
    for (size_t k = 0; k < parameters; ++k)
        if (!takeItem(call.arguments[k], KeyWord::unpack(call.key[k])))
            return false;
    return takeTwins(llvm::ArrayRef(call.key).drop_front(parameters));
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

[[gnu::hot]] bool Pattern::read(PyObject *const *arguments, Call &call) const {
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
                (PyArray_FLAGS(array) & lookedAt) != item.flags)
                return false;
            const npy_intp *sizes = PyArray_DIMS(array), *strides = PyArray_STRIDES(array);
            int64_t count = 1;
            *slot++ = reinterpret_cast<int64_t>(PyArray_DATA(array));
#pragma clang loop vectorize(disable) unroll(disable) // of two or three turns
            for (int d = 0; d < item.rank; ++d, ++slot) {
                slot[0] = sizes[d];
                slot[item.rank] = strides[d] >> item.shift;
                count *= sizes[d];
            }
            slot += item.rank;
            elements += count;
            if (item.twin == k)
                extents.push_back({PyArray_BYTES(array),
                                   PyArray_BYTES(array) + (count << item.shift),
                                   item.twins > 1 || (item.flags & NPY_ARRAY_WRITEABLE)});
            else if (!std::equal(call.slots.data() + item.slot, slot,
                                 call.slots.data() + items[item.twin].slot))
                return false;
        } else if (item.kind == Item::Number) {
            if (reinterpret_cast<PyObject *>(Py_TYPE(object)) != item.identity ||
                !readNumber(object, slot))
                return false;
        } else if (item.kind == Item::Value) {
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
