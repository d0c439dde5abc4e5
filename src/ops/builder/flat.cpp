#include "ops/builder/flat.h"

#include "ops/builder/arrays.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/indexing.h"
#include "ops/builder/stores.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

SmallVector<Val> shapecast::flatIndices(TypedBuilder &e, const Val &a, const Val &index) {
    const Dims dims = dimsOf(a);
    const DimAttr total = e.facts.canonical(dimProduct(e.ctx, dims)),
                  i = e.facts.canonical(toDim(e, index));
    e.require("index", {i, total}, "IndexError", "index {0} is out of bounds for size {1}",
              {i, total});
    DimAttr quotient = dimWrap(i, total);
    SmallVector<Val> keys;
    for (DimAttr dim : llvm::reverse(dims)) {
        const DimAttr divisor =
            e.assumeGreaterEqual(dim, e.dimConst(1)) ? dim : dimMax(dim, e.dimConst(1));
        keys.insert(keys.begin(), e.sizeVal(e.facts.canonical(dimMod(quotient, divisor))));
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
        return {a, flatIndices(e, a, index)};
    const Val line = ravel(e, a);
    const DimAttr total = dimsOf(line)[0], i = e.facts.canonical(toDim(e, index));
    e.require("index", {i, total}, "IndexError", "index {0} is out of bounds for size {1}",
              {i, total});
    return {line, {e.sizeVal(dimWrap(i, total))}};
}

Val shapecast::flatItem(TypedBuilder &e, const Val &a, ArrayRef<Val> keys) {
    const Val key = ::flatKey(e, keys);
    if (isIndex(e, key)) {
        auto [array, indices] = elementAt(e, a, key);
        return arrayItem(e, array, indices);
    }
    llvm::SaveAndRestore flat(e.indexesFlat, true);
    const Val item = arrayItem(e, ravel(e, a), {key}); // always a copy
    return item.isArray() ? castTo(e, item, e.operandOf(item).dtype) : item;
}

//===-- Stores

static void setFlatItem(TypedBuilder &e, const Val &a, const Val &index, const Val &value) {
    const DType dtype = e.operandOf(a).dtype;
    const StringRef error = "ValueError", message = "Error setting single item of array.";
    auto [array, indices] = elementAt(e, a, index);
    const bool number = value.isScalar() || (value.isArray() && value.array().getRank() == 0);
    const bool complex = number && !value.weakFlag && e.operandOf(value).weak == PyKind::Complex;
    if (isBool(dtype) && (complex || value.isTuple())) // bool() takes anything
        return storeArrayItem(e, array, indices, value);
    if (!number || (complex && !isComplex(dtype)))
        return e.require("false", {}, error, message);
    if (value.isPyInt() && isInteger(dtype))
        for (auto [greater, less] : unprovenBounds(e, value, dtype))
            e.require("ge", {greater, less}, error, message);
    storeArrayItem(e, array, indices, value);
}

// np.resize: the elements of `values`, repeated cyclically up to that size.
static Val cycled(TypedBuilder &e, const Val &values, DimAttr size) {
    const Val line = ravel(e, values);
    const DimAttr have = dimsOf(line)[0];
    if (e.assumeEqual(have, size))
        return line;
    const Val counts = callFunction(e, *findFunction("numpy.arange"), {e.sizeVal(size)}, {});
    return arrayItem(e, line, {ufunc(e, "remainder", {counts, e.sizeVal(have)})});
}

void shapecast::setFlat(TypedBuilder &e, const Val &a, ArrayRef<Val> keys, const Val &given) {
    const Val key = ::flatKey(e, keys);
    if (keys.empty())
        e.fail("IndexError", "Assigning to a flat iterator with a 0-D index is not supported");
    std::optional<Val> target = writeableOf(e, a, "underlying array is read-only");
    if (!target)
        return;
    if (isIndex(e, key))
        return setFlatItem(e, *target, key, given);
    if (given.isDynamicList() || given.weakFlag)
        e.unsupported("a store of " + given.describe() +
                      " through .flat is not supported; make it an array first");
    llvm::SaveAndRestore flat(e.indexesFlat, true);
    const DType dtype = e.operandOf(a).dtype;
    const bool ordered = target->array().getLayout() == Layout::C;
    const bool all = key.isStatic("ellipsis");
    if (given.isScalar() && all)
        return assign(e, *target, given);
    const Val line = ordered ? ravel(e, *target) : castTo(e, ravel(e, *target), dtype);
    auto writeBack = [&] {
        if (!ordered) {
            std::vector<Val> shape;
            for (DimAttr dim : dimsOf(*target))
                shape.push_back(e.sizeVal(dim));
            assign(e, *target, reshape(e, line, {e.tupleVal(std::move(shape))}));
        }
    };
    if (given.isScalar()) {
        storeArrayItem(e, line, {key}, given);
        return writeBack();
    }
    Val values = given.isTuple() ? callFunction(e, *findFunction("numpy.array"), {given},
                                                {{"dtype", e.staticVal("dtype", dtypeName(dtype))}})
                                 : given;
    values = castTo(e, values, dtype); // a copy: the array may be a view of what it is stored to
    const Dims shape = dimsOf(arrayItem(e, line, {key}));
    const DimAttr size = e.facts.canonical(dimProduct(e.ctx, shape)),
                  have = e.facts.canonical(dimProduct(e.ctx, dimsOf(values)));
    auto store = [&] {
        std::vector<Val> sizes;
        for (DimAttr dim : shape)
            sizes.push_back(e.sizeVal(dim));
        storeArrayItem(e, line, {key},
                       reshape(e, cycled(e, values, size), {e.tupleVal(std::move(sizes))}));
        writeBack();
        return e.noneVal();
    };
    if (e.assumeGreaterEqual(have, e.dimConst(1)))
        store();
    else // no values: stores nothing
        e.branch(compareInts(e, "ge", e.sizeVal(have), e.intVal(1)),
                 [&](bool some) { return some ? store() : e.noneVal(); });
}
