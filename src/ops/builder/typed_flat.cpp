// TypedBuilder: a.flat[...], the elements of an array in C order as one axis.
//
// The index of one element is unravelled. Indexing of several goes through np.ravel: a view of a
// C-contiguous array, a copy of any other, which a store writes back as a whole.
#include "ops/numpy/functions.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

bool shapecast::isIterator(const Val &v, StringRef kind) {
    return v.kind == Val::Kind::Iterator && cast<StringAttr>(v.attr).getValue() == kind;
}

SmallVector<Val> TypedBuilder::flatIndices(const Val &a, const Val &index) {
    const Dims dims = dimsOf(a);
    const DimAttr total = facts.canonical(dimProduct(ctx, dims)), i = facts.canonical(toDim(index));
    require("index", {i, total}, "IndexError", "index {0} is out of bounds for size {1}",
            {i, total});
    DimAttr quotient = dimWrap(i, total);
    SmallVector<Val> keys;
    for (DimAttr dim : llvm::reverse(dims)) {
        const DimAttr divisor =
            assumeGreaterEqual(dim, dimConst(1)) ? dim : dimMax(dim, dimConst(1));
        keys.insert(keys.begin(), sizeVal(facts.canonical(dimMod(quotient, divisor))));
        quotient = dimFloorDiv(quotient, divisor);
    }
    return keys;
}

static bool isIndex(TypedBuilder &e, const Val &key) {
    if (key.weakFlag || !(key.isScalar() || (key.isArray() && key.array().getRank() == 0)))
        return false;
    return isInteger(e.operandOf(key).dtype) && e.operandOf(key).weak != PyKind::Bool;
}

// The one key; `...` for a.flat[()].
static Val flatKey(TypedBuilder &e, ArrayRef<Val> keys) {
    if (keys.size() == 1 && keys[0].isTuple() && !keys[0].list)
        return flatKey(e, keys[0].items);
    int64_t axes = 0;
    for (const Val &key : keys)
        axes += key.isArray() && isBool(e.operandOf(key).dtype) ? key.array().getRank() : 1;
    if (axes > 1)
        e.fail("IndexError", "too many indices for flat iterator: flat iterator is 1-dimensional, "
                             "but " +
                                 Twine(axes) + " were indexed");
    if (keys.empty())
        return e.staticVal("ellipsis", "");
    if (keys[0].isNone() || (keys[0].isScalar() && !isIndex(e, keys[0])))
        e.fail("IndexError", "only integers, slices (`:`), ellipsis (`...`) and integer or boolean "
                             "arrays are valid indices");
    return keys[0];
}

// The array to index and the indices of the element: the raveled view where it is in C order, else
// the array itself.
static std::pair<Val, SmallVector<Val>> elementAt(TypedBuilder &e, const Val &a, const Val &index) {
    if (a.array().getLayout() != Layout::C)
        return {a, e.flatIndices(a, index)};
    const Val line = e.ravel(a);
    const DimAttr total = e.dimsOf(line)[0], i = e.facts.canonical(e.toDim(index));
    e.require("index", {i, total}, "IndexError", "index {0} is out of bounds for size {1}",
              {i, total});
    return {line, {e.sizeVal(dimWrap(i, total))}};
}

Val TypedBuilder::flatItem(const Val &a, ArrayRef<Val> keys) {
    const Val key = ::flatKey(*this, keys);
    if (isIndex(*this, key)) {
        auto [array, indices] = elementAt(*this, a, key);
        return getItem(array, indices);
    }
    llvm::SaveAndRestore flat(indexesFlat, true);
    const Val item = getItem(ravel(a), {key}); // always a copy
    return item.isArray() ? castTo(item, operandOf(item).dtype) : item;
}

//===-- Stores

void TypedBuilder::setFlatItem(const Val &a, const Val &index, const Val &value) {
    const DType dtype = operandOf(a).dtype;
    const StringRef error = "ValueError", message = "Error setting single item of array.";
    auto [array, indices] = elementAt(*this, a, index);
    const bool number = value.isScalar() || (value.isArray() && value.array().getRank() == 0);
    const bool complex = number && !value.weakFlag && operandOf(value).weak == PyKind::Complex;
    if (isBool(dtype) && (complex || value.isTuple())) // bool() takes anything
        return setItem(array, indices, value);
    if (!number || (complex && !isComplex(dtype)))
        return require("false", {}, error, message);
    if (value.isPyInt() && isInteger(dtype))
        for (auto [greater, less] : unprovenBounds(value, dtype))
            require("ge", {greater, less}, error, message);
    setItem(array, indices, value);
}

// np.resize: the elements of `values`, repeated cyclically up to that size.
Val TypedBuilder::cycled(const Val &values, DimAttr size) {
    const Val line = ravel(values);
    const DimAttr have = dimsOf(line)[0];
    if (assumeEqual(have, size))
        return line;
    const Val counts = callFunction(*this, *findFunction("numpy.arange"), {sizeVal(size)}, {});
    return getItem(line, {ufunc("remainder", {counts, sizeVal(have)})});
}

void TypedBuilder::setFlat(const Val &a, ArrayRef<Val> keys, const Val &given) {
    const Val key = ::flatKey(*this, keys);
    if (keys.empty())
        fail("IndexError", "Assigning to a flat iterator with a 0-D index is not supported");
    std::optional<Val> target = writeableOf(a, "underlying array is read-only");
    if (!target)
        return;
    if (isIndex(*this, key))
        return setFlatItem(*target, key, given);
    if (given.isDynamicList() || given.weakFlag)
        unsupported("a store of " + describe(given) +
                    " through .flat is not supported; make it an array first");
    llvm::SaveAndRestore flat(indexesFlat, true);
    const DType dtype = operandOf(a).dtype;
    const bool ordered = target->array().getLayout() == Layout::C;
    const bool all = key.isStatic("ellipsis");
    if (given.isScalar() && all)
        return assign(*target, given);
    const Val line = ordered ? ravel(*target) : castTo(ravel(*target), dtype);
    auto writeBack = [&] {
        if (!ordered) {
            std::vector<Val> shape;
            for (DimAttr dim : dimsOf(*target))
                shape.push_back(sizeVal(dim));
            assign(*target, reshape(line, {tupleVal(std::move(shape))}));
        }
    };
    if (given.isScalar()) {
        setItem(line, {key}, given);
        return writeBack();
    }
    Val values = given.isTuple() ? callFunction(*this, *findFunction("numpy.array"), {given},
                                                {{"dtype", staticVal("dtype", dtypeName(dtype))}})
                                 : given;
    values = castTo(values, dtype); // a copy: the array may be a view of what it is stored to
    const Dims shape = dimsOf(getItem(line, {key}));
    const DimAttr size = facts.canonical(dimProduct(ctx, shape)),
                  have = facts.canonical(dimProduct(ctx, dimsOf(values)));
    auto store = [&] {
        std::vector<Val> sizes;
        for (DimAttr dim : shape)
            sizes.push_back(sizeVal(dim));
        setItem(line, {key}, reshape(cycled(values, size), {tupleVal(std::move(sizes))}));
        writeBack();
        return noneVal();
    };
    if (assumeGreaterEqual(have, dimConst(1)))
        store();
    else // no values: stores nothing
        branch(compare("ge", sizeVal(have), intVal(1)),
               [&](bool some) { return some ? store() : noneVal(); });
}
