// TypedBuilder: advanced indexing, with arrays, lists and masks. Its slices and integers become a
// view of the base with the axes of the index arrays first; gathers and scatters of that view are
// emitted as np.take or as calls of the runtime (runtime/advanced_indexing.cpp).
#include "ops/numpy/functions.h"

#include "shapes/rules.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// One item of an index.
struct TypedBuilder::Key {
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
struct TypedBuilder::AdvancedIndex {
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

bool TypedBuilder::usesAdvancedIndexing(const Val &base, ArrayRef<Val> keys) {
    if (!base.isArray())
        return false;
    if (keys.size() == 1 && keys[0].isTuple() && !keys[0].list) {
        ArrayRef<Val> inner = keys[0].items;
        return (inner.size() == 1 && inner[0].isTuple()) || usesAdvancedIndexing(base, inner);
    }
    return llvm::any_of(keys, [&](const Val &key) {
        return isSequenceKey(key) ||
               (key.isScalar() && !key.weakFlag && isBool(operandOf(key).dtype));
    });
}

std::vector<TypedBuilder::Key> TypedBuilder::sortedKeys(ArrayRef<Val> keys) {
    std::vector<Key> sorted;
    for (Val key : keys) {
        const bool display = key.isTuple();
        if (display)
            key = key.items.empty() ? alloc(dimConst(0), DType::I64)
                                    : callFunction(*this, *findFunction("numpy.array"), {key}, {});
        if (!key.isArray() && !key.isScalar()) {
            sorted.push_back({Key::Basic, key});
            continue;
        }
        const DType dtype = operandOf(strongSide(key)).dtype;
        const bool one = key.isScalar() || key.array().getRank() == 0;
        if (key.isArray() && !isInteger(dtype) && !isBool(dtype))
            fail("IndexError",
                 display ? "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) "
                           "and integer or boolean arrays are valid indices"
                         : "arrays used as indices must be of integer (or boolean) type");
        if (key.isArray() && one)
            key = typed(read(key));
        sorted.push_back({isBool(dtype)       ? (one ? Key::Flag : Key::Mask)
                          : !isInteger(dtype) ? Key::Basic
                                              : (one ? Key::Number : Key::Index),
                          key});
    }
    return sorted;
}

void TypedBuilder::checkMask(const Val &mask, ArrayRef<DimAttr> dims, int64_t axis) {
    for (auto [i, size] : llvm::enumerate(dimsOf(mask))) {
        const DimAttr have = dims[axis + i];
        if (assumeEqual(size, have))
            continue;
        // NumPy does not check the size of an empty axis of a mask.
        requireEqual(dimMul(size, dimSub(size, have)), dimConst(0), "IndexError",
                     "boolean index did not match indexed " +
                         Twine(indexesFlat ? "flat iterator" : "array") + " along axis " +
                         Twine(axis + i) +
                         "; size of axis is {0} but size of corresponding boolean axis is {1}",
                     {have, size});
    }
}

// Checks masks against the axes that they index. A mask beside other advanced keys becomes its
// index arrays (np.nonzero), and a flag an array of zeros.
void TypedBuilder::masksToIndices(std::vector<Key> &keys, ArrayRef<DimAttr> dims) {
    int64_t used = 0, axis = 0;
    for (const Key &key : keys)
        used += key.axes();
    if (used > int64_t(dims.size()))
        fail("IndexError", "too many indices for array: array is " + Twine(dims.size()) +
                               "-dimensional, but " + Twine(used) + " were indexed");
    const bool alone = llvm::count_if(keys, [](const Key &key) {
                           return key.isAdvanced() || key.kind == Key::Number;
                       }) == 1;
    std::vector<Key> result;
    for (const Key &key : keys) {
        if (key.kind == Key::Mask)
            checkMask(key.v, dims, axis);
        axis += key.v.isStatic("ellipsis") ? int64_t(dims.size()) - used : key.axes();
        if (key.kind == Key::Mask && !alone) {
            for (const Val &indices : nonzero(key.v))
                result.push_back({Key::Index, indices});
        } else if (key.kind == Key::Flag) {
            std::optional<bool> known = key.v.constBool();
            const Val size = known ? intVal(*known) : sizeVal(toDim(toPy(key.v, PyKind::Int)));
            Val zeros = callFunction(*this, *findFunction("numpy.zeros"), {size},
                                     {{"dtype", staticVal("dtype", "int64")}});
            result.push_back({Key::Flag, zeros});
        } else {
            result.push_back(key);
        }
    }
    keys = std::move(result);
}

TypedBuilder::AdvancedIndex TypedBuilder::advancedIndex(const Val &base, ArrayRef<Val> given) {
    std::vector<Key> keys = sortedKeys(given);
    const Dims dims = dimsOf(base);
    masksToIndices(keys, dims);
    int64_t used = 0, axis = 0, kept = 0; // axes of the base; axes of the view that are not indexed
    for (const Key &key : keys)
        used += key.axes();
    Val all, none = noneVal();
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
    p.view = getItem(base, basic);
    const Dims left = dimsOf(p.view);
    if (!adjacent)
        p.at = 0;

    Dims shape;
    if (p.mask.isTyped()) {
        shape.push_back(native("count", {}, p.mask).dim);
        require("ge", {shape[0], dimConst(0)}, "ValueError", "negative dimensions are not allowed");
    } else {
        shape = shapes::broadcast(*this, shapes, {}, "IndexError",
                                  "shape mismatch: indexing arrays could not be broadcast "
                                  "together with shapes ");
        for (Val &indices : p.indices)
            indices = broadcastView(*this, indices, shape, false);
    }
    for (int64_t i : others)
        p.dims.push_back(left[i]);
    p.dims.insert(p.dims.begin() + p.at, shape.begin(), shape.end());
    p.count = int64_t(shape.size());
    first.append(others);
    p.view = transpose(p.view, first);
    return p;
}

//===-- Reads

Val TypedBuilder::native(StringRef name, ArrayRef<Val> written, ArrayRef<Val> read, StringRef error,
                         const Twine &message, Type result) {
    SmallVector<Value> operands;
    for (ArrayRef<Val> list : {written, read})
        for (const Val &v : list)
            operands.push_back(v.value);
    auto op = NativeOp::create(b, loc, result ? result : PyIntType::get(ctx), b.getStringAttr(name),
                               b.getI64IntegerAttr(int64_t(written.size())), operands,
                               error.empty() ? StringAttr() : b.getStringAttr(error),
                               error.empty() ? StringAttr() : b.getStringAttr(message));
    std::vector<std::string> notes = operandNotes ? operandNotes() : std::vector<std::string>();
    if (!notes.empty())
        op.setNotesAttr(b.getStrArrayAttr(SmallVector<StringRef>(notes.begin(), notes.end())));
    return typed(op);
}

SmallVector<Val> TypedBuilder::nonzero(const Val &array) {
    const Val mask = isBool(operandOf(array).dtype) ? array : castTo(array, DType::Bool);
    const int64_t rank = mask.array().getRank();
    const DimAttr count = native("count", {}, mask).dim, one = dimConst(1);
    require("ge", {count, dimConst(0)}, "ValueError", "negative dimensions are not allowed");
    const Val indices = alloc({count, dimConst(rank)}, DType::I64);
    native("nonzero", indices, mask);
    SmallVector<Val> columns;
    for (int64_t i = 0; i < rank; ++i)
        columns.push_back(view(indices, {dimConst(0), dimConst(i)}, {one, one}, 0, count));
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
void TypedBuilder::checkIndices(const AdvancedIndex &p, ArrayRef<Value> indices) {
    auto check = [&](ArrayRef<Val> arrays) {
        SmallVector<Val> operands = indexOperands(*this, arrays, p.axes);
        operands.insert(operands.begin(), p.view);
        native("check_indices", {}, operands, "IndexError", outOfBounds(*this));
    };
    const bool topLevel = isa_and_nonnull<FuncOp>(b.getInsertionBlock()->getParentOp());
    const bool computed = llvm::any_of(p.indices, [](const Val &v) {
        Value array = v.value;
        while (auto view = array.getDefiningOp<ViewOp>())
            array = view.getBase();
        return array.getDefiningOp<MaterializeOp>();
    });
    if (!computed && topLevel)
        return check(p.indices);
    Val outside = boolVal(false);
    for (auto [value, size] : llvm::zip(indices, dimsOf(p.view))) {
        const Val at = materialize(value);
        const Val low = ufunc("less", {at, sizeVal(dimNeg(size))}),
                  high = ufunc("greater_equal", {at, sizeVal(size)});
        const Val any =
            callFunction(*this, *findFunction("numpy.any"), {ufunc("logical_or", {low, high})}, {});
        outside = logicalOr(outside, toPy(truth(any), PyKind::Bool));
    }
    branch(outside, [&](bool is) {
        SmallVector<Val> arrays;
        for (Value value : is ? indices : ArrayRef<Value>())
            arrays.push_back(materialize(value));
        if (is)
            check(arrays);
        return noneVal();
    });
}

// The keys, 0-d arrays as integers; none where one is advanced.
std::optional<SmallVector<Val>> TypedBuilder::plainKeys(ArrayRef<Val> keys) {
    SmallVector<Val> plain;
    for (const Key &key : sortedKeys(keys)) {
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

Val TypedBuilder::gather(const Val &base, ArrayRef<Val> keys) {
    if (std::optional<size_t> which = maybeIntegerKey(keys))
        return unionSplit(keys, *which, [&](ArrayRef<Val> known) { return getItem(base, known); });
    if (keys.size() == 1 && keys[0].isTuple() && !keys[0].list)
        return gather(base, keys[0].items);
    if (std::optional<SmallVector<Val>> plain = plainKeys(keys)) {
        const Val item = getItem(base, *plain);
        if (item.isArray() && item.array().getRank() == 0) // with an ellipsis: always a copy
            return callFunction(*this, *findFunction("numpy.array"), {item}, {});
        return item.isArray() ? castTo(item, operandOf(item).dtype) : item;
    }
    const AdvancedIndex p = advancedIndex(base, keys);
    const ArrayType from = p.view.array();
    // A table lookup of bytes by bytes has a kernel of its own (runtime/gather_bytes.h).
    const bool isTable = !p.mask.isTyped() && p.indices.size() == 1 &&
                         itemSize(operandOf(p.view).dtype) == 1 &&
                         operandOf(p.indices[0]).dtype == DType::U8;
    if (!p.mask.isTyped() && !from.getDevice() && !isTable &&
        from.getRank() == int64_t(p.indices.size())) {
        SmallVector<Value> indices;
        for (const Val &v : p.indices)
            indices.push_back(castValue(read(v), DType::I64));
        checkIndices(p, indices);
        return materialize(
            TakeOp::create(b, loc, valueType(p.dims, from.getDtype(), {}), p.view.value, indices));
    }
    // NumPy lays out the result with the axis of the index array outermost: columns of a matrix in
    // Fortran order are in Fortran order.
    const bool isFortran = p.dims.size() == 2 && p.order()[0] == 1;
    const Val out =
        alloc(p.dims, operandOf(base).dtype, isFortran ? resultLayout(base) : np::Layout::C);
    const Val target = transpose(out, p.order());
    if (p.mask.isTyped()) {
        native("gather_mask", target, {p.view, p.mask});
    } else {
        SmallVector<Val> operands = indexOperands(*this, p.indices, p.axes);
        operands.insert(operands.begin(), p.view);
        native("gather", target, operands, "IndexError", outOfBounds(*this));
    }
    return out;
}

//===-- Stores

// The value in the base's dtype, broadcast to the result's dims, the index axes first.
Val TypedBuilder::storedValue(const AdvancedIndex &to, const Val &given, DType dtype) {
    Val value =
        given.isTuple() ? callFunction(*this, *findFunction("numpy.array"), {given}, {}) : given;
    // NumPy's scalars are cast as its arrays are, unchecked.
    const bool strong = value.isScalar() && !value.weakFlag && !isPyScalar(value.type());
    if ((value.isArray() || strong) && operandOf(value).dtype != dtype)
        value = castTo(value, dtype);
    if (!value.isArray()) {
        const Val number = alloc({}, dtype);
        assign(number, storedNumber(value, dtype));
        value = number;
    }
    Dims shape = dimsOf(value);
    const bool flat = to.mask.isTyped() && to.dims.size() == 1; // a mask over the whole array
    SmallVector<DimAttr> payload;
    std::string message;
    if (flat && shape.size() > 1) { // after the errors of the mask's size
        require("eq", {dimConst(0), dimConst(1)}, "TypeError",
                "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
                "input has " +
                    Twine(shape.size()) + " dimensions");
        return transpose(alloc(to.dims, dtype), to.order());
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
                      [&](DimAttr dim) { return assumeEqual(dim, dimConst(1)); }))
        requireEqual(dimProduct(ctx, shape), dimProduct(ctx, ArrayRef(shape).drop_front(extra)),
                     "ValueError", message, payload);
    SmallVector<int64_t> axes;
    for (auto [i, dim] : llvm::enumerate(shape)) {
        if (i < extra)
            continue;
        axes.push_back(int64_t(i));
        const DimAttr goal = to.dims[i + to.dims.size() - shape.size()];
        if (!assumeEqual(dim, goal) && !assumeEqual(dim, dimConst(1)))
            require("broadcast_to", {dim, goal}, "ValueError", message, payload);
    }
    if (extra)
        value = view(value, Dims(shape.size(), dimConst(0)), Dims(shape.size(), dimConst(1)), axes,
                     ArrayRef(shape).drop_front(extra));
    return transpose(broadcastView(*this, value, to.dims, false), to.order());
}

// x[mask] = number as an element-wise store, which fuses with the producer of the mask.
bool TypedBuilder::tryMaskedFill(const Val &base, ArrayRef<Val> keys, const Val &value) {
    const bool isNumber = value.isScalar() || (value.isArray() && value.array().getRank() == 0);
    if (!isNumber || keys.size() != 1 || !keys[0].isArray() || indexesFlat)
        return false;
    Val mask = strongSide(keys[0]);
    const Dims dims = dimsOf(base);
    const int64_t axes = mask.array().getRank();
    if (!isBool(operandOf(mask).dtype) || axes == 0 || axes > int64_t(dims.size()))
        return false;
    for (auto [have, dim] : llvm::zip(dimsOf(mask), dims))
        if (!assumeEqual(have, dim)) // an empty mask may have another size
            return false;
    Val number = value.isArray() ? typed(read(value)) : value;
    const bool strong = !number.weakFlag && !isPyScalar(number.type());
    if (strong && operandOf(number).dtype != operandOf(base).dtype)
        number = castTo(number, operandOf(base).dtype);
    SmallVector<int64_t> along;
    Dims shape;
    for (auto [d, dim] : llvm::enumerate(dims)) {
        along.push_back(int64_t(d) < axes ? int64_t(d) : -1);
        shape.push_back(int64_t(d) < axes ? dimsOf(mask)[d] : dimConst(1));
    }
    if (axes < int64_t(dims.size()))
        mask = view(mask, Dims(axes, dimConst(0)), Dims(axes, dimConst(1)), along, shape);
    const Val stored = alloc({}, operandOf(base).dtype); // with the checks of a store
    assign(stored, storedNumber(number, operandOf(base).dtype));
    assign(base, ufunc("where", {mask, typed(read(stored)), base}));
    return true;
}

void TypedBuilder::scatter(const Val &base, ArrayRef<Val> keys, const Val &value) {
    if (std::optional<size_t> which = maybeIntegerKey(keys)) {
        unionSplit(keys, *which, [&](ArrayRef<Val> known) {
            setItem(base, known, value);
            return noneVal();
        });
        return;
    }
    const DType dtype = operandOf(base).dtype;
    if (std::optional<SmallVector<Val>> plain = plainKeys(keys))
        return setItem(base, *plain, value);
    if (tryMaskedFill(base, keys, value))
        return;
    const AdvancedIndex p = advancedIndex(base, keys);
    const Val from = storedValue(p, value, dtype);
    if (p.mask.isTyped()) {
        native("scatter_mask", p.view, {from, p.mask});
        return;
    }
    SmallVector<Val> operands = indexOperands(*this, p.indices, p.axes);
    operands.insert(operands.begin(), from);
    native("scatter", p.view, operands, "IndexError", outOfBounds(*this));
}
