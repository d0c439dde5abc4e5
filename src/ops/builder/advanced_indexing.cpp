// Advanced indexing, with arrays, lists and masks. Its slices and integers become a
// view of the base with the axes of the index arrays first; gathers and scatters of that view are
// emitted as np.take or as calls of the runtime (runtime/advanced_indexing.cpp).
#include "ops/builder/arrays.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/indexing.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/memory.h"
#include "ops/builder/stores.h"
#include "shapes/rules.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// One item of an index.
struct Key {
    enum Kind {
        Basic,  // a slice, None or `...` (or an invalid key, which basicIndex() rejects)
        Number, // an integer or a 0-d array of one
        Index,  // an array of integers
        Mask,   // an array of bools: indexes as many axes as it has
        Flag    // a bool: adds an axis of size 1 or 0
    } kind;
    Val v;

    int64_t axes() const { // of the base that it indexes
        if (kind == Basic)
            return v.kind == Val::Kind::Slice;
        return kind == Flag ? 0 : kind == Mask ? v.array().getRank() : 1;
    }
    bool isAdvanced() const { return kind == Index || kind == Mask || kind == Flag; }
};

// Advanced indexing of an array, normalised.
struct AdvancedIndex {
    Val view;                  // of the base, the axes of the index arrays first
    SmallVector<Val> indices;  // the index array of each of these, broadcast
    SmallVector<int64_t> axes; // their numbers in the base
    Val mask;                  // instead of index arrays: over the first axes
    Dims dims;                 // of the result
    int64_t at = 0, count = 0; // position and number of the broadcast index axes in the result

    SmallVector<int64_t> order() const { // permutation of the result's axes: those first
        SmallVector<int64_t> axes;
        for (int64_t i = 0; i < int64_t(dims.size()); ++i)
            axes.push_back(i < count ? at + i : i < at + count ? i - count : i);
        return axes;
    }
};

static bool isSequenceKey(const Val &key) {
    return key.isTuple() || key.isArray() || key.kind == Val::Kind::Range ||
           (key.isDynamicList() && key.list);
}

bool shapecast::usesAdvancedIndexing(TypedBuilder &e, const Val &base, ArrayRef<Val> keys) {
    if (!base.isArray())
        return false;
    if (keys.size() == 1 && keys[0].isTuple() && !keys[0].list) {
        ArrayRef<Val> inner = keys[0].items;
        return (inner.size() == 1 && inner[0].isTuple()) || usesAdvancedIndexing(e, base, inner);
    }
    return llvm::any_of(keys, [&](const Val &key) {
        return isSequenceKey(key) ||
               (key.isScalar() && !key.weakFlag && isBool(e.operandOf(key).dtype));
    });
}

static std::vector<Key> sortedKeys(TypedBuilder &e, ArrayRef<Val> keys) {
    std::vector<Key> sorted;
    for (Val key : keys) {
        const bool display = key.isTuple();
        if (display)
            key = key.items.empty() ? alloc(e, e.dimConst(0), DType::I64)
                                    : callFunction(e, *findFunction("numpy.array"), {key}, {});
        if (!key.isArray() && !key.isScalar()) {
            sorted.push_back({Key::Basic, key});
            continue;
        }
        const DType dtype = e.operandOf(strongSide(key)).dtype;
        const bool one = key.isScalar() || key.array().getRank() == 0;
        if (key.isArray() && !isInteger(dtype) && !isBool(dtype))
            e.fail("IndexError",
                   display
                       ? "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) "
                         "and integer or boolean arrays are valid indices"
                       : "arrays used as indices must be of integer (or boolean) type");
        if (key.isArray() && one)
            key = e.typed(read(e, key));
        sorted.push_back({isBool(dtype)       ? (one ? Key::Flag : Key::Mask)
                          : !isInteger(dtype) ? Key::Basic
                                              : (one ? Key::Number : Key::Index),
                          key});
    }
    return sorted;
}

static void checkMask(TypedBuilder &e, const Val &mask, ArrayRef<DimAttr> dims, int64_t axis) {
    for (auto [i, size] : llvm::enumerate(dimsOf(mask))) {
        const DimAttr have = dims[axis + i];
        if (e.assumeEqual(size, have))
            continue;
        // NumPy does not check the size of an empty axis of a mask.
        e.requireEqual(dimMul(size, dimSub(size, have)), e.dimConst(0), "IndexError",
                       "boolean index did not match indexed " +
                           Twine(e.indexesFlat ? "flat iterator" : "array") + " along axis " +
                           Twine(axis + i) +
                           "; size of axis is {0} but size of corresponding boolean axis is {1}",
                       {have, size});
    }
}

// Checks masks against the axes that they index. A mask beside other advanced keys becomes its
// index arrays (np.nonzero), and a flag an array of zeros.
static void masksToIndices(TypedBuilder &e, std::vector<Key> &keys, ArrayRef<DimAttr> dims) {
    int64_t used = 0, axis = 0;
    for (const Key &key : keys)
        used += key.axes();
    if (used > int64_t(dims.size()))
        e.fail("IndexError", "too many indices for array: array is " + Twine(dims.size()) +
                                 "-dimensional, but " + Twine(used) + " were indexed");
    const bool alone = llvm::count_if(keys, [](const Key &key) {
                           return key.isAdvanced() || key.kind == Key::Number;
                       }) == 1;
    std::vector<Key> result;
    for (const Key &key : keys) {
        if (key.kind == Key::Mask)
            checkMask(e, key.v, dims, axis);
        axis += key.v.isStatic("ellipsis") ? int64_t(dims.size()) - used : key.axes();
        if (key.kind == Key::Mask && !alone) {
            for (const Val &indices : nonzero(e, key.v))
                result.push_back({Key::Index, indices});
        } else if (key.kind == Key::Flag) {
            std::optional<bool> known = key.v.constBool();
            const Val size =
                known ? e.intVal(*known) : e.sizeVal(toDim(e, toPy(e, key.v, PyKind::Int)));
            Val zeros = callFunction(e, *findFunction("numpy.zeros"), {size},
                                     {{"dtype", e.staticVal("dtype", "int64")}});
            result.push_back({Key::Flag, zeros});
        } else {
            result.push_back(key);
        }
    }
    keys = std::move(result);
}

static AdvancedIndex advancedIndex(TypedBuilder &e, const Val &base, ArrayRef<Val> given) {
    std::vector<Key> keys = sortedKeys(e, given);
    const Dims dims = dimsOf(base);
    masksToIndices(e, keys, dims);
    int64_t used = 0, axis = 0, kept = 0; // axes of the base; axes of the view that are not indexed
    for (const Key &key : keys)
        used += key.axes();
    Val all, none = e.noneVal();
    all.kind = Val::Kind::Slice;
    all.items = {none, none, none};

    AdvancedIndex p;
    SmallVector<Val> basic;
    SmallVector<int64_t> first, others; // axes of the view
    SmallVector<Dims> shapes;
    enum { Before, Within, Behind } reached = Before;
    bool adjacent = true;
    auto keep = [&](int64_t count) {
        for (int64_t i = 0; i < count; ++i, ++kept)
            others.push_back(int64_t(first.size() + others.size()));
    };
    for (const Key &key : keys) {
        const bool rest = key.v.isStatic("ellipsis");
        if (key.kind == Key::Basic) {
            reached = reached == Before ? Before : Behind;
            basic.push_back(key.v);
            keep(rest ? int64_t(dims.size()) - used : 1);
            axis += rest ? int64_t(dims.size()) - used : key.axes();
            continue;
        }
        adjacent &= reached != Behind;
        if (reached == Before)
            p.at = kept;
        reached = Within;
        if (key.kind == Key::Number) {
            basic.push_back(key.v);
            axis += 1;
            continue;
        }
        for (int64_t i = 0; i < std::max<int64_t>(key.axes(), 1); ++i) {
            basic.push_back(key.kind == Key::Flag ? none : all);
            first.push_back(int64_t(first.size() + others.size()));
        }
        p.axes.push_back(axis);
        axis += key.axes();
        if (key.kind == Key::Mask)
            p.mask = key.v;
        else
            p.indices.push_back(key.v);
        shapes.push_back(dimsOf(key.v));
    }
    if (!llvm::any_of(keys, [](const Key &key) { return key.v.isStatic("ellipsis"); }))
        keep(int64_t(dims.size()) - used);
    p.view = arrayItem(e, base, basic);
    const Dims left = dimsOf(p.view);
    if (!adjacent)
        p.at = 0;

    Dims shape;
    if (p.mask.isTyped()) {
        shape.push_back(native(e, "count", {}, p.mask).dim);
        e.require("ge", {shape[0], e.dimConst(0)}, "ValueError",
                  "negative dimensions are not allowed");
    } else {
        shape = shapes::broadcast(e, shapes, {}, "IndexError",
                                  "shape mismatch: indexing arrays could not be broadcast "
                                  "together with shapes ");
        for (Val &indices : p.indices)
            indices = broadcastView(e, indices, shape, false);
    }
    for (int64_t i : others)
        p.dims.push_back(left[i]);
    p.dims.insert(p.dims.begin() + p.at, shape.begin(), shape.end());
    p.count = int64_t(shape.size());
    first.append(others);
    p.view = transpose(e, p.view, first);
    return p;
}

//===-- Reads

SmallVector<Val> shapecast::nonzero(TypedBuilder &e, const Val &array) {
    const Val mask = isBool(e.operandOf(array).dtype) ? array : castTo(e, array, DType::Bool);
    const int64_t rank = mask.array().getRank();
    const DimAttr count = native(e, "count", {}, mask).dim, one = e.dimConst(1);
    e.require("ge", {count, e.dimConst(0)}, "ValueError", "negative dimensions are not allowed");
    const Val indices = alloc(e, {count, e.dimConst(rank)}, DType::I64);
    native(e, "nonzero", indices, mask);
    SmallVector<Val> columns;
    for (int64_t i = 0; i < rank; ++i)
        columns.push_back(view(e, indices, {e.dimConst(0), e.dimConst(i)}, {one, one}, 0, count));
    return columns;
}

static StringRef outOfBounds(const TypedBuilder &e) {
    return e.indexesFlat ? "index {0} is out of bounds for size {2}"
                         : "index {0} is out of bounds for axis {1} with size {2}";
}

// The operands of sc_gather and sc_scatter after the two arrays.
static SmallVector<Val> indexOperands(TypedBuilder &e, ArrayRef<Val> indices,
                                      ArrayRef<int64_t> axes) {
    SmallVector<Val> operands = {e.intVal(int64_t(indices.size()))};
    for (auto [array, axis] : llvm::zip_equal(indices, axes)) {
        operands.push_back(e.intVal(axis));
        operands.push_back(array);
    }
    return operands;
}

// IndexError if an index is out of bounds: the runtime checks, and names the first one. In a loop,
// and for indices that are computed for this access only, an element-wise nest checks first: a call
// for each row of a matrix costs more than the row, and needs the indices in memory.
static void checkIndices(TypedBuilder &e, const AdvancedIndex &p, ArrayRef<Value> indices) {
    auto check = [&](ArrayRef<Val> arrays) {
        SmallVector<Val> operands = indexOperands(e, arrays, p.axes);
        operands.insert(operands.begin(), p.view);
        native(e, "check_indices", {}, operands, "IndexError", outOfBounds(e));
    };
    const bool topLevel = isa_and_nonnull<FuncOp>(e.b.getInsertionBlock()->getParentOp());
    const bool computed = llvm::any_of(p.indices, [](const Val &v) {
        Value array = v.value;
        while (auto view = array.getDefiningOp<ViewOp>())
            array = view.getBase();
        return array.getDefiningOp<MaterializeOp>();
    });
    if (!computed && topLevel)
        return check(p.indices);
    Val outside = e.boolVal(false);
    for (auto [value, size] : llvm::zip(indices, dimsOf(p.view))) {
        const Val at = materialize(e, value);
        const Val low = ufunc(e, "less", {at, e.sizeVal(dimNeg(size))}),
                  high = ufunc(e, "greater_equal", {at, e.sizeVal(size)});
        const Val any =
            callFunction(e, *findFunction("numpy.any"), {ufunc(e, "logical_or", {low, high})}, {});
        outside = logicalOr(e, outside, toPy(e, truth(e, any), PyKind::Bool));
    }
    e.branch(outside, [&](bool is) {
        SmallVector<Val> arrays;
        for (Value value : is ? indices : ArrayRef<Value>())
            arrays.push_back(materialize(e, value));
        if (is)
            check(arrays);
        return e.noneVal();
    });
}

// The keys, 0-d arrays as integers; none where one is advanced.
static std::optional<SmallVector<Val>> plainKeys(TypedBuilder &e, ArrayRef<Val> keys) {
    SmallVector<Val> plain;
    for (const Key &key : sortedKeys(e, keys)) {
        if (key.isAdvanced())
            return std::nullopt;
        plain.push_back(key.v);
    }
    return plain;
}

// A maybe-weak key that is an integer on some paths only: each side is indexed, or raises.
static std::optional<size_t> maybeIntegerKey(ArrayRef<Val> keys) {
    for (auto [i, key] : llvm::enumerate(keys))
        if (key.weakFlag && !isInteger(operandType(key.type())->dtype))
            return i;
    return std::nullopt;
}

Val shapecast::gather(TypedBuilder &e, const Val &base, ArrayRef<Val> keys) {
    if (std::optional<size_t> which = maybeIntegerKey(keys))
        return unionSplit(e, keys, *which,
                          [&](ArrayRef<Val> known) { return arrayItem(e, base, known); });
    if (keys.size() == 1 && keys[0].isTuple() && !keys[0].list)
        return gather(e, base, keys[0].items);
    if (std::optional<SmallVector<Val>> plain = plainKeys(e, keys)) {
        const Val item = arrayItem(e, base, *plain);
        if (item.isArray() && item.array().getRank() == 0) // with an ellipsis: always a copy
            return callFunction(e, *findFunction("numpy.array"), {item}, {});
        return item.isArray() ? castTo(e, item, e.operandOf(item).dtype) : item;
    }
    const AdvancedIndex p = advancedIndex(e, base, keys);
    const ArrayType from = p.view.array();
    // A table lookup of bytes by bytes has a kernel of its own (runtime/gather_bytes.h).
    const bool isTable = !p.mask.isTyped() && p.indices.size() == 1 &&
                         itemSize(e.operandOf(p.view).dtype) == 1 &&
                         e.operandOf(p.indices[0]).dtype == DType::U8;
    if (!p.mask.isTyped() && !from.getDevice() && !isTable &&
        from.getRank() == int64_t(p.indices.size())) {
        SmallVector<Value> indices;
        for (const Val &v : p.indices)
            indices.push_back(castValue(e, read(e, v), DType::I64));
        checkIndices(e, p, indices);
        return materialize(e, TakeOp::create(e.b, e.loc, valueType(p.dims, from.getDtype(), {}),
                                             p.view.value, indices));
    }
    // NumPy lays out the result with the axis of the index array outermost: columns of a matrix in
    // Fortran order are in Fortran order.
    const bool isFortran = p.dims.size() == 2 && p.order()[0] == 1;
    const Val out =
        alloc(e, p.dims, e.operandOf(base).dtype, isFortran ? resultLayout(base) : np::Layout::C);
    const Val target = transpose(e, out, p.order());
    if (p.mask.isTyped()) {
        native(e, "gather_mask", target, {p.view, p.mask});
    } else {
        SmallVector<Val> operands = indexOperands(e, p.indices, p.axes);
        operands.insert(operands.begin(), p.view);
        native(e, "gather", target, operands, "IndexError", outOfBounds(e));
    }
    return out;
}

//===-- Stores

// The value in the base's dtype, broadcast to the result's dims, the index axes first.
static Val storedValue(TypedBuilder &e, const AdvancedIndex &to, const Val &given, DType dtype) {
    Val value =
        given.isTuple() ? callFunction(e, *findFunction("numpy.array"), {given}, {}) : given;
    // NumPy's scalars are cast as its arrays are, unchecked.
    const bool strong = value.isScalar() && !value.weakFlag && !isPyScalar(value.type());
    if ((value.isArray() || strong) && e.operandOf(value).dtype != dtype)
        value = castTo(e, value, dtype);
    if (!value.isArray()) {
        const Val number = alloc(e, {}, dtype);
        assign(e, number, storedNumber(e, value, dtype));
        value = number;
    }
    Dims shape = dimsOf(value);
    const bool flat = to.mask.isTyped() && to.dims.size() == 1; // a mask over the whole array
    SmallVector<DimAttr> payload;
    std::string message;
    if (flat && shape.size() > 1) { // after the errors of the mask's size
        e.require("eq", {e.dimConst(0), e.dimConst(1)}, "TypeError",
                  "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
                  "input has " +
                      Twine(shape.size()) + " dimensions");
        return transpose(e, alloc(e, to.dims, dtype), to.order());
    }
    if (flat && shape.size() == 1) {
        message = "NumPy boolean array indexing assignment cannot assign {0} input values to the "
                  "{1} output values where the mask is true";
        payload = {shape[0], to.dims[0]};
    } else {
        message = "shape mismatch: value array of shape " + shapeText(shape, payload) +
                  " could not be broadcast to indexing result of shape " +
                  shapeText(to.dims, payload);
    }
    const size_t extra = shape.size() > to.dims.size() ? shape.size() - to.dims.size() : 0;
    // Leading axes are dropped where that leaves as many elements: of size 1, or any of an empty
    // array.
    if (!llvm::all_of(ArrayRef(shape).take_front(extra),
                      [&](DimAttr dim) { return e.assumeEqual(dim, e.dimConst(1)); }))
        e.requireEqual(dimProduct(e.ctx, shape),
                       dimProduct(e.ctx, ArrayRef(shape).drop_front(extra)), "ValueError", message,
                       payload);
    SmallVector<int64_t> axes;
    for (auto [i, dim] : llvm::enumerate(shape)) {
        if (i < extra)
            continue;
        axes.push_back(int64_t(i));
        const DimAttr goal = to.dims[i + to.dims.size() - shape.size()];
        if (!e.assumeEqual(dim, goal) && !e.assumeEqual(dim, e.dimConst(1)))
            e.require("broadcast_to", {dim, goal}, "ValueError", message, payload);
    }
    if (extra)
        value = view(e, value, Dims(shape.size(), e.dimConst(0)), Dims(shape.size(), e.dimConst(1)),
                     axes, ArrayRef(shape).drop_front(extra));
    return transpose(e, broadcastView(e, value, to.dims, false), to.order());
}

// x[mask] = number as an element-wise store, which fuses with the producer of the mask.
static bool tryMaskedFill(TypedBuilder &e, const Val &base, ArrayRef<Val> keys, const Val &value) {
    const bool isNumber = value.isScalar() || (value.isArray() && value.array().getRank() == 0);
    if (!isNumber || keys.size() != 1 || !keys[0].isArray() || e.indexesFlat)
        return false;
    Val mask = strongSide(keys[0]);
    const Dims dims = dimsOf(base);
    const int64_t axes = mask.array().getRank();
    if (!isBool(e.operandOf(mask).dtype) || axes == 0 || axes > int64_t(dims.size()))
        return false;
    for (auto [have, dim] : llvm::zip(dimsOf(mask), dims))
        if (!e.assumeEqual(have, dim)) // an empty mask may have another size
            return false;
    Val number = value.isArray() ? e.typed(read(e, value)) : value;
    const bool strong = !number.weakFlag && !isPyScalar(number.type());
    if (strong && e.operandOf(number).dtype != e.operandOf(base).dtype)
        number = castTo(e, number, e.operandOf(base).dtype);
    SmallVector<int64_t> along;
    Dims shape;
    for (auto [d, dim] : llvm::enumerate(dims)) {
        along.push_back(int64_t(d) < axes ? int64_t(d) : -1);
        shape.push_back(int64_t(d) < axes ? dimsOf(mask)[d] : e.dimConst(1));
    }
    if (axes < int64_t(dims.size()))
        mask = view(e, mask, Dims(axes, e.dimConst(0)), Dims(axes, e.dimConst(1)), along, shape);
    const Val stored = alloc(e, {}, e.operandOf(base).dtype); // with the checks of a store
    assign(e, stored, storedNumber(e, number, e.operandOf(base).dtype));
    assign(e, base, ufunc(e, "where", {mask, e.typed(read(e, stored)), base}));
    return true;
}

void shapecast::scatter(TypedBuilder &e, const Val &base, ArrayRef<Val> keys, const Val &value) {
    if (std::optional<size_t> which = maybeIntegerKey(keys)) {
        unionSplit(e, keys, *which, [&](ArrayRef<Val> known) {
            storeArrayItem(e, base, known, value);
            return e.noneVal();
        });
        return;
    }
    const DType dtype = e.operandOf(base).dtype;
    if (std::optional<SmallVector<Val>> plain = plainKeys(e, keys))
        return storeArrayItem(e, base, *plain, value);
    if (tryMaskedFill(e, base, keys, value))
        return;
    const AdvancedIndex p = advancedIndex(e, base, keys);
    const Val from = storedValue(e, p, value, dtype);
    if (p.mask.isTyped()) {
        native(e, "scatter_mask", p.view, {from, p.mask});
        return;
    }
    SmallVector<Val> operands = indexOperands(e, p.indices, p.axes);
    operands.insert(operands.begin(), from);
    native(e, "scatter", p.view, operands, "IndexError", outOfBounds(e));
}
