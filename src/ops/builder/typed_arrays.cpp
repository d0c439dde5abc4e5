// TypedBuilder: views, basic indexing, stores, shapes, reductions and products of arrays.
#include "ops/builder/dynamic_list.h"
#include "ops/numpy/functions.h"

#include "ir/layout.h"
#include "shapes/rules.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val TypedBuilder::alloc(ArrayRef<DimAttr> dims, DType dtype, Layout layout) {
    auto type = ArrayType::get(ctx, dims, scalarType(ctx, dtype), layout, false, device);
    return typed(AllocOp::create(b, loc, type));
}

//===-- Views

Val TypedBuilder::view(const Val &base, ArrayRef<DimAttr> offsets, ArrayRef<DimAttr> steps,
                       ArrayRef<int64_t> axes, ArrayRef<DimAttr> dims, bool readonly) {
    auto view = ViewOp::create(b, loc, base.value, offsets, steps, axes, dims, facts, readonly);
    if (readonly)
        view.setReadonlyAttr(b.getUnitAttr());
    return typed(view);
}

Val TypedBuilder::transpose(const Val &a, ArrayRef<int64_t> axes) {
    const Dims from = dimsOf(a);
    return view(a, Dims(from.size(), dimConst(0)), Dims(from.size(), dimConst(1)), axes,
                shapes::transpose(*this, from, axes));
}

//===-- Basic indexing

DimAttr TypedBuilder::sliceDim(const Val &v) {
    return facts.canonical(
        toDim(v, "slice indices must be integers or None or have an __index__ method"));
}

// Offset and size of lo:hi:step over n elements.
std::pair<DimAttr, DimAttr> TypedBuilder::slice(const Val &slice, DimAttr n, DimAttr step,
                                                bool up) {
    auto bound = [&](const Val &v) { return v.isNone() ? DimAttr() : sliceDim(v); };
    const shapes::Slice cut =
        shapes::slice(*this, n, bound(slice.items[0]), bound(slice.items[1]), step, up);
    return {cut.start, cut.size};
}

// The view or element that basic indexing gives.
struct TypedBuilder::BasicIndex {
    Dims offsets, steps, dims;
    SmallVector<int64_t> axes;
    bool element = true; // integers for all axes: one element, not an array
};

TypedBuilder::BasicIndex TypedBuilder::basicIndex(const Val &base, ArrayRef<Val> keys) {
    Dims from = dimsOf(base);
    int64_t rank = from.size(), used = 0;
    for (const Val &key : keys) {
        used += !key.isNone() && !key.isStatic("ellipsis");
        if (key.weakFlag &&
            (key.weakKind == PyKind::Bool || isBool(operandOf(strongSide(key)).dtype)))
            unsupported("indexing with " + describe(key) + " is not supported");
    }
    for (const Val &key : keys)
        if (!key.isNone() && !key.isStatic("ellipsis") && key.kind != Val::Kind::Slice &&
            (!key.isScalar() || !isInteger(operandOf(strongSide(key)).dtype)))
            fail("IndexError", "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis "
                               "(`None`) and integer or boolean arrays are valid indices");
    if (used > rank)
        fail("IndexError", "too many indices for array: array is " + Twine(rank) +
                               "-dimensional, but " + Twine(used) + " were indexed");
    BasicIndex result;
    int64_t axis = 0;
    auto keep = [&](DimAttr offset, DimAttr size, DimAttr step) {
        result.offsets.push_back(offset);
        result.steps.push_back(step);
        result.axes.push_back(axis++);
        result.dims.push_back(size);
    };
    bool ellipsis = false;
    auto rest = [&] {
        for (int64_t i = used; i < rank; ++i)
            keep(dimConst(0), from[axis], dimConst(1));
    };
    for (const Val &key : keys) {
        if (key.isStatic("ellipsis")) {
            if (ellipsis)
                fail("IndexError", "an index can only have a single ellipsis ('...')");
            ellipsis = true;
            result.element = false;
            rest();
        } else if (key.isNone()) {
            result.element = false;
            result.axes.push_back(-1);
            result.dims.push_back(dimConst(1));
        } else if (key.kind == Val::Kind::Slice) {
            result.element = false;
            DimAttr step = key.items[2].isNone() ? dimConst(1) : sliceDim(key.items[2]);
            if (!assumeNotEqual(step, dimConst(0)))
                require("ne", {step, dimConst(0)}, "ValueError", "slice step cannot be zero");
            bool up = assumeGreaterEqual(step, dimConst(1));
            if (!up && !assumeGreaterEqual(dimConst(-1), step) && !step.isConst(0))
                needConstant(key.items[2],
                             "a slice's step must be a constant where its sign is not known");
            auto [offset, size] = slice(key, from[axis], step.isConst(0) ? dimConst(1) : step, up);
            keep(offset, size, step);
        } else {
            // One component of a short last axis, such as a colour channel: a constant size of the
            // axis makes the stride of loops a constant, and they load whole vectors.
            const bool isPart =
                !result.element && axis > 0 && axis + 1 == rank && &key == &keys.back();
            if (DimAttr part = facts.canonical(toDim(key)); isPart && part.isConst())
                shortAxisSize(from[axis]);
            DimAttr i = checkedIndex(facts.canonical(toDim(key)), from[axis], axis);
            result.offsets.push_back(i);
            result.steps.push_back(dimConst(1));
            ++axis;
        }
    }
    if (!ellipsis && used < rank) {
        result.element = false;
        rest();
    }
    return result;
}

// Indexing where the sign of a slice's step, or whether a number is an integer, is known only at
// run time: branches on it, so that each arm knows it. None where all are known or assumed.
std::optional<Val> TypedBuilder::splitOnKeys(ArrayRef<Val> keys,
                                             llvm::function_ref<Val(ArrayRef<Val>)> index) {
    const DimAttr one = dimConst(1), minus = dimConst(-1);
    for (auto [i, key] : llvm::enumerate(keys)) {
        if (key.weakFlag &&
            (key.weakKind == PyKind::Int) != isInteger(operandOf(strongSide(key)).dtype))
            return unionSplit(keys, i, index);
        if (key.kind != Val::Kind::Slice || key.items[2].isNone())
            continue;
        DimAttr step = sliceDim(key.items[2]);
        if (step.isConst() || assumeGreaterEqual(step, one) || assumeGreaterEqual(minus, step))
            continue;
        require("ne", {step, dimConst(0)}, "ValueError", "slice step cannot be zero");
        SmallVector<Val> known(keys); // the step as one expression, with a fact in each arm
        known[i].items[2] = sizeVal(step);
        return branch(compare("ge", known[i].items[2], intVal(1)), [&](bool up) {
            facts.addGreaterEqual(up ? step : minus, up ? one : step);
            return index(known);
        });
    }
    return std::nullopt;
}

// A NumPy scalar can be indexed with the keys that add axes: any number of None and bools, and one
// `...`.
Val TypedBuilder::scalarItem(const Val &number, ArrayRef<Val> keys) {
    auto dots = [](const Val &key) { return key.isStatic("ellipsis"); };
    if (keys.empty())
        return number;
    auto flag = [&](const Val &key) {
        const bool single = key.isScalar() || (key.isArray() && key.array().getRank() == 0);
        return single && !key.weakFlag && isBool(operandOf(key).dtype);
    };
    auto fits = [&](const Val &key) { return key.isNone() || dots(key) || flag(key); };
    if (llvm::count_if(keys, dots) > 1 || !llvm::all_of(keys, fits))
        fail("IndexError", "invalid index to scalar variable.");
    Val array = alloc({}, operandOf(number).dtype);
    assign(array, number);
    return getItem(array, keys);
}

// The keys, with ranges and dynamic lists converted to index arrays; none where there are none.
static std::optional<SmallVector<Val>> withArrays(TypedBuilder &e, ArrayRef<Val> keys) {
    auto isRange = [](const Val &key) { return key.kind == Val::Kind::Range; };
    auto isList = [](const Val &key) { return key.isDynamicList() && key.list; };
    if (llvm::none_of(keys, [&](const Val &key) { return isList(key) || isRange(key); }))
        return std::nullopt;
    return llvm::map_to_vector(keys, [&](const Val &key) {
        return isRange(key)  ? callFunction(e, *findFunction("numpy.arange"), key.items.read(), {})
               : isList(key) ? arrayOfDynamicList(e, key)
                             : key;
    });
}

static bool isTupleOfKeys(ArrayRef<Val> keys) {
    return keys.size() == 1 && (keys[0].isTuple() || keys[0].isDynamicList()) && !keys[0].list;
}

// The keys in the one tuple. A tuple in it, x[(1, 2),], is an index array, as a list is.
static std::vector<Val> keysIn(TypedBuilder &e, ArrayRef<Val> keys) {
    std::vector<Val> inner = e.itemsIn(keys[0], "an index");
    if (inner.size() == 1 && inner[0].isTuple())
        inner[0].list = true;
    return inner;
}

Val TypedBuilder::getItem(const Val &base, ArrayRef<Val> keys) {
    if (base.isDynamicList())
        return dynamicListItem(*this, base, keys);
    if (base.isTuple())
        return tupleItem(base, keys);
    if (base.kind == Val::Kind::Range)
        return rangeItem(base, keys);
    if (base.isDict())
        return dictItem(base, keys);
    if (std::optional<Val> item = textItem(base, keys))
        return *item;
    const bool number = base.isScalar() && operandOf(base).weak == PyKind::Strong;
    if (isIterator(base, "flat"))
        return flatItem(base.items[0], keys);
    if (isIterator(base, "flags"))
        return flagItem(*this, base.items[0], keys);
    rejectOverloads(base, {"__getitem__"});
    if (!base.isArray() && !number)
        fail("TypeError", "'" + classNameOf(base) + "' object is not subscriptable");
    if (isTupleOfKeys(keys))
        return getItem(base, keysIn(*this, keys));
    if (std::optional<SmallVector<Val>> known = withArrays(*this, keys))
        return getItem(base, *known);
    if (number)
        return scalarItem(base, keys);
    if (usesAdvancedIndexing(base, keys))
        return gather(base, keys);
    if (std::optional<Val> item =
            splitOnKeys(keys, [&](ArrayRef<Val> known) { return getItem(base, known); }))
        return *item;
    BasicIndex at = basicIndex(base, keys);
    if (at.element)
        return typed(
            LoadOp::create(b, loc, base.array().getDtype(), base.value, dimArray(ctx, at.offsets)));
    return view(base, at.offsets, at.steps, at.axes, at.dims);
}

//===-- Stores

void TypedBuilder::checkComplexStore(const Val &value, DType dtype) {
    if (operandOf(value).weak != PyKind::Complex || isComplex(dtype) || isBool(dtype))
        return;
    if (isInteger(dtype))
        fail(
            "TypeError",
            "int() argument must be a string, a bytes-like object or a real number, not 'complex'");
    fail("TypeError", "float() argument must be a string or a real number, not 'complex'");
}

Val TypedBuilder::storedNumber(const Val &number, DType dtype) {
    const OperandType from = operandOf(number);
    const bool strong = from.weak == PyKind::Strong; // cast to unsigned dtypes unchecked
    if (!isInteger(dtype) || (strong && !isSigned(dtype)))
        return number;
    if (isFloat(from.dtype))
        return pyop("long", {toPy(number, PyKind::Float)}, PyIntType::get(ctx));
    if (!strong || !isInteger(from.dtype) || canCast(from.dtype, dtype, Casting::Safe))
        return number;
    Val integer = sizeVal(toDim(number));
    if (from.dtype == DType::U64 &&
        facts.greaterEqual(integer.dim, dimConst(0)) != Answer::Yes) // 2 ** 63 or more
        require("ge", {integer.dim, dimConst(0)}, "OverflowError",
                "Python int too large to convert to C long");
    checkWeakBounds(*findUfunc("positive"), Loop{{dtype}, dtype}, integer);
    return number;
}

// A read-only argument of the entry is never writeable; other arrays of a read-only type, arguments
// of other functions too, may be copies that np.reshape_any made, which is checked at run time.
std::optional<Val> TypedBuilder::writeableOf(const Val &target, StringRef message) {
    ArrayType array = target.array();
    if (!array.getReadonly())
        return target;
    auto isReadonly = [](Value v) { return cast<ArrayType>(v.getType()).getReadonly(); };
    Value root = target.value;
    while (
        isReadonly(root) &&
        isa_and_nonnull<ViewOp, ReshapeOp, DiagonalOp, PartOp, ReinterpretOp, AsStridedOp, CastOp>(
            root.getDefiningOp()))
        root = root.getDefiningOp()->getOperand(0);
    auto argument = dyn_cast<BlockArgument>(root);
    const bool isEntryArgument =
        isEntry && argument && isa_and_nonnull<FuncOp>(argument.getOwner()->getParentOp());
    if (isEntryArgument || !isReadonly(root)) { // or a view is read-only: np.broadcast_to
        require("false", {}, "ValueError", message);
        return std::nullopt;
    }
    auto type = ArrayType::get(ctx, array.getDims(), array.getDtype(), array.getLayout(),
                               /*readonly=*/false, array.getDevice());
    return typed(CheckWriteableOp::create(b, loc, type, target.value, message));
}

// Whether storing either side of a maybe-weak scalar stores the same value.
static bool storeIsSame(TypedBuilder &e, const Val &v, DType dtype) {
    const DType own = operandType(v.type())->dtype;
    if (isFloat(dtype) || isComplex(dtype) || isBool(dtype))
        return e.isExactAsPython(v) || own == dtype;
    return e.isExactAsPython(v) && (dtype == DType::I64 || own == dtype) &&
           !(isNaturalPair(v.type(), PyKind::Float) || v.weakKind == PyKind::Float);
}

void TypedBuilder::assign(const Val &target, const Val &given) {
    if (given.weakFlag && storeIsSame(*this, given, operandOf(target).dtype))
        return assign(target, strongSide(given));
    if (given.weakFlag) {
        unionSplit(given, [&](const Val &side) {
            assign(target, side);
            return noneVal();
        });
        return;
    }
    Val value =
        given.isTuple() ? callFunction(*this, *findFunction("numpy.array"), {given}, {}) : given;
    ArrayType array = target.array();
    DType dtype = operandType(array)->dtype;
    std::optional<Val> writeable = writeableOf(target, "assignment destination is read-only");
    if (!writeable)
        return;
    checkComplexStore(value, dtype);
    Loop store{{dtype}, dtype};
    checkWeakBounds(*findUfunc("positive"), store, value);
    commonDevice({target, value});
    Dims to = dimsOf(target), shape = dimsOf(value);
    SmallVector<DimAttr> payload;
    std::string message = "could not broadcast input array from shape " +
                          shapeText(shape, payload) + " into shape " + shapeText(to, payload);
    Value read = castValue(this->read(value), dtype);
    size_t extra = shape.size() > to.size() ? shape.size() - to.size() : 0;
    for (auto [i, dim] : llvm::enumerate(shape)) {
        if (i < extra) {
            if (!assumeEqual(dim, dimConst(1)))
                require("eq", {dim, dimConst(1)}, "shapecast.ShapeError", message, payload);
            continue;
        }
        DimAttr goal = to[i + to.size() - shape.size()];
        if (!assumeEqual(dim, goal) && !assumeEqual(dim, dimConst(1)))
            require("broadcast_to", {dim, goal}, "shapecast.ShapeError", message, payload);
    }
    if (extra) { // drop leading axes of size 1
        Dims kept(shape.begin() + extra, shape.end());
        SmallVector<int64_t> axes;
        for (size_t i = extra; i < shape.size(); ++i)
            axes.push_back(i);
        Val cut = view(value, Dims(shape.size(), dimConst(0)), Dims(shape.size(), dimConst(1)),
                       axes, kept);
        read = castValue(this->read(cut), dtype);
    }
    if (to.empty()) {
        StoreOp::create(b, loc, read, writeable->value, dimArray(ctx, {}));
        return;
    }
    if (!isa<RankedTensorType>(read.getType())) {
        read = SplatOp::create(b, loc, castValue(read, dtype), to, array.getDevice());
    } else {
        read = broadcastValue(read, to);
    }
    AssignOp::create(b, loc, read, writeable->value);
}

void TypedBuilder::setItem(const Val &base, ArrayRef<Val> keys, const Val &value) {
    if (base.isDict() || ((base.isTuple() || base.isDynamicList()) && base.list))
        return changeItem(base, keys, value);
    if (isIterator(base, "flat"))
        return setFlat(base.items[0], keys, value);
    rejectOverloads(base, {"__setitem__"});
    if (!base.isArray())
        fail("TypeError", "'" + classNameOf(base) + "' object does not support item assignment");
    if (isTupleOfKeys(keys))
        return setItem(base, keysIn(*this, keys), value);
    if (std::optional<SmallVector<Val>> known = withArrays(*this, keys))
        return setItem(base, *known, value);
    if (value.isDynamicList())
        return setItem(base, keys, arrayOfDynamicList(*this, value));
    // Before the index is checked, as in NumPy.
    std::optional<Val> writeable = writeableOf(base, "assignment destination is read-only");
    if (!writeable)
        return;
    if (base.array().getReadonly())
        return setItem(*writeable, keys, value);
    auto store = [&](ArrayRef<Val> known) {
        setItem(base, known, value);
        return noneVal();
    };
    if (!usesAdvancedIndexing(base, keys) && splitOnKeys(keys, store))
        return;
    if (usesAdvancedIndexing(base, keys)) {
        if (!value.weakFlag || storeIsSame(*this, value, operandOf(base).dtype))
            return scatter(base, keys, value.weakFlag ? strongSide(value) : value);
        unionSplit(value, [&](const Val &side) {
            scatter(base, keys, side);
            return noneVal();
        });
        return;
    }
    BasicIndex at = basicIndex(base, keys);
    if (!value.weakFlag || storeIsSame(*this, value, operandOf(base).dtype))
        return storeItem(base, at, value.weakFlag ? strongSide(value) : value);
    unionSplit(value, [&](const Val &side) {
        storeItem(base, at, side);
        return noneVal();
    });
}

void TypedBuilder::storeItem(const Val &base, const BasicIndex &to, const Val &given) {
    DType dtype = operandOf(base).dtype;
    const Val value = given.isScalar() ? storedNumber(given, dtype) : given;
    if (!to.element)
        return assign(view(base, to.offsets, to.steps, to.axes, to.dims), value);
    std::optional<Val> number = elementOf(value, dtype);
    if (!number)
        return;
    checkComplexStore(*number, dtype);
    checkWeakBounds(*findUfunc("positive"), Loop{{dtype}, dtype}, *number);
    StoreOp::create(b, loc, castValue(read(*number), dtype), base.value, dimArray(ctx, to.offsets));
}

// The value to store to one element: a number, or what bool(), int(), float() or complex() make of
// something else; none where they raise.
std::optional<Val> TypedBuilder::elementOf(const Val &value, DType dtype) {
    Dims dims = dimsOf(value);
    if (!value.isTuple() && dims.empty())
        return value;
    if (value.isTuple() && isBool(dtype))
        return truth(value);
    if (value.isTuple() && isInteger(dtype))
        fail("TypeError", "int() argument must be a string, a bytes-like object or a real number, "
                          "not '" +
                              classNameOf(value) + "'");
    if (value.isTuple() && isComplex(dtype))
        fail("TypeError", "must be real number, not " + classNameOf(value));
    if (isComplex(dtype)) {
        require("false", {}, "TypeError",
                "only 0-dimensional arrays can be converted to Python scalars");
        return std::nullopt;
    }
    const std::string message = "setting an array element with a sequence.";
    if (value.isTuple() || !isBool(dtype)) {
        require("false", {}, "ValueError", message);
        return std::nullopt;
    }
    for (DimAttr dim : dims)
        if (!assumeEqual(dim, dimConst(1)))
            require("eq", {dim, dimConst(1)}, "ValueError", message);
    return view(value, Dims(dims.size(), dimConst(0)), Dims(dims.size(), dimConst(1)), {}, {});
}

Val TypedBuilder::inplace(StringRef op, const Val &target, const Val &value) {
    const bool numpy = value.isArray() || (value.isScalar() && !isPyScalar(value.type()));
    if ((target.isTuple() || target.isDynamicList()) && target.list && op == "add" && !numpy) {
        listMethod(*this, target, "extend", value);
        return target;
    }
    if (target.isTuple() && target.list && op == "mul") {
        const Val repeated = binary(op, target, value);
        storeCell(unsigned(&mutableCell(target) - cells.data()), repeated);
        return target;
    }
    if (target.isDict() && value.isDict() && op == "or") {
        dictMethod(*this, target, "update", value, {});
        return target;
    }
    llvm::SaveAndRestore augmented(inPlace, true);
    if (!target.isArray())
        return binary(op, target, value);
    if (value.weakFlag)
        return unionSplit(value, [&](const Val &side) { return inplace(op, target, side); });
    std::optional<Val> writeable = writeableOf(target, "output array is read-only");
    if (!writeable)
        return target;
    if (op == "matmul")
        checkInPlaceMatmul(*writeable, value);
    llvm::SaveAndRestore<const Val *> out(ufuncTarget, op == "matmul" ? nullptr : &*writeable);
    Val result = binary(op, target, value);
    storeResult(op == "pow" && value.constInt() == 2 ? "square" : ufuncOfOperator(op), *writeable,
                result, Casting::SameKind);
    return target;
}

// a @= b cannot have a 1-d b: the result would not have a's rank.
void TypedBuilder::checkInPlaceMatmul(const Val &target, const Val &value) {
    const bool sequence = value.isTuple() || value.kind == Val::Kind::Range;
    const Val other = sequence ? asArray(*this, value) : value;
    if (!other.isTyped())
        failOutput("matmul", "O", operandOf(target).dtype, Casting::SameKind);
    checkOutput("matmul", resultType({operandOf(target), operandOf(other)}), target,
                Casting::SameKind);
    if (target.array().getRank() > 0 && other.isArray() && other.array().getRank() == 1)
        fail("ValueError", "inplace matrix multiplication requires the first operand to have at "
                           "least one and the second at least two dimensions.");
}

Val TypedBuilder::storeOut(StringRef name, const Val &out, const Val &result, Casting casting) {
    if (out.isTuple() && out.items.size() == 1)
        return storeOut(name, out.items[0], result, casting);
    if (!out.isArray())
        fail("TypeError", "return arrays must be of ArrayType");
    std::optional<Val> writeable = writeableOf(out, "output array is read-only");
    if (writeable)
        storeResult(name, *writeable, result, casting);
    return out;
}

void TypedBuilder::checkOutput(StringRef name, DType from, const Val &out, Casting casting) {
    const DType to = operandOf(out).dtype;
    if (!canCast(from, to, casting))
        failOutput(name, dtypeName(from), to, casting);
}

void TypedBuilder::failOutput(StringRef name, StringRef from, DType to, Casting casting) {
    fail("numpy._core._exceptions._UFuncOutputCastingError",
         "Cannot cast ufunc '" + name + "' output from dtype('" + from + "') to dtype('" +
             dtypeName(to) + "') with casting rule '" + castingName(casting) + "'");
}

void TypedBuilder::checkOutputShape(ArrayRef<DimAttr> out, ArrayRef<DimAttr> result,
                                    ArrayRef<Dims> all) {
    const StringRef error = "shapecast.ShapeError";
    SmallVector<DimAttr> payload, allPayload;
    const std::string stretched = "non-broadcastable output operand with shape " +
                                  shapeText(out, payload) + " doesn't match the broadcast shape " +
                                  shapeText(result, payload);
    std::string mismatch = "operands could not be broadcast together with shapes ";
    for (const Dims &shape : all)
        mismatch += shapeText(shape, allPayload) + " ";
    const DimAttr one = dimConst(1);
    const size_t shared = std::min(out.size(), result.size());
    auto isOne = [&](DimAttr dim) { return facts.equal(dim, one) == Answer::Yes; };
    for (auto [have, need] : llvm::zip_equal(out.take_back(shared), result.take_back(shared))) {
        if (assumeEqual(need, have) || assumeEqual(need, one))
            continue;
        const bool single = isOne(have) || assumeEqual(have, one);
        if (!all.empty() && !single)
            require("broadcast", {need, have}, error, mismatch, allPayload);
        require(isOne(have) ? "eq" : "broadcast_to", {need, have}, error, stretched, payload);
    }
    if (result.size() > out.size())
        require("false", {}, error, stretched, payload);
}

// target[...] = result, as a ufunc stores it.
void TypedBuilder::storeResult(StringRef name, const Val &target, const Val &result,
                               Casting casting) {
    checkOutput(name, operandOf(result).dtype, target, casting);
    checkOutputShape(dimsOf(target), dimsOf(result), {});
    assign(target, result);
}

//===-- Shapes

bool TypedBuilder::isSequence(const Val &v) {
    return v.isTuple() || v.isDynamicList() || v.kind == Val::Kind::Range ||
           (v.isArray() && v.array().getRank() == 1);
}

std::vector<Val> TypedBuilder::itemsIn(const Val &sequence, StringRef what) {
    if (!isSequence(sequence))
        return {sequence};
    if (std::optional<std::vector<Val>> items = itemsOf(sequence))
        return *items;
    const DimAttr count = sequence.isArray()         ? facts.canonical(dimsOf(sequence)[0])
                          : sequence.isDynamicList() ? facts.canonical(sequence.items[0].dim)
                                                     : DimAttr();
    const std::optional<int64_t> hint = count ? sizeHint(count) : std::nullopt;
    if (!hint || *hint > maxUnrollTripCount || !assumeEqual(count, dimConst(*hint)))
        unsupported(what + " whose length is known only at run time is not supported; make it a "
                           "tuple");
    std::vector<Val> items;
    items.reserve(size_t(*hint));
    for (int64_t i = 0; i < *hint; ++i)
        items.push_back(getItem(sequence, {intVal(i)}));
    return items;
}

Dims TypedBuilder::shapeOf(const Val &shape) {
    Dims dims;
    for (const Val &v : itemsIn(shape, "a shape")) {
        dims.push_back(facts.canonical(toDim(v)));
        dims.back() = shapes::full(*this, dims.back()).front();
    }
    return dims;
}

Val TypedBuilder::reshape(const Val &a, ArrayRef<Val> shape) {
    if (shape.size() == 1 && isSequence(shape[0]))
        return reshape(a, itemsIn(shape[0], "a shape"));
    Dims wanted;
    for (const Val &v : shape) {
        DimAttr dim = facts.canonical(toDim(v));
        if (!dim.isConst() && facts.less(dim, dimConst(0)) != Answer::No &&
            !assumeGreaterEqual(dim, dimConst(0)) && assumeGreaterEqual(dimConst(-1), dim))
            dim = dimConst(-1); // negative in this call, and guarded to be
        wanted.push_back(dim.isConst() && dim.getValue() < 0 ? dimConst(-1) : dim);
    }
    return reshaped(a, shapes::reshape(*this, dimsOf(a), wanted));
}

// A reshape that only removes and inserts axes of size 1: a view, whatever the strides. nullopt for
// any other.
std::optional<Val> TypedBuilder::reshapeUnitAxes(const Val &a, ArrayRef<DimAttr> dims) {
    Dims from = dimsOf(a);
    SmallVector<int64_t> axes;
    size_t next = 0;
    auto skipOnes = [&] { // also symbols: n == 1 may be a fact
        while (next < from.size() && facts.equal(from[next], dimConst(1)) == Answer::Yes)
            ++next;
    };
    for (DimAttr dim : dims) {
        if (next < from.size() && facts.equal(from[next], dim) == Answer::Yes) {
            axes.push_back(next++);
            continue;
        }
        if (!dim.isConst(1))
            skipOnes();
        bool kept =
            !dim.isConst(1) && next < from.size() && facts.equal(from[next], dim) == Answer::Yes;
        if (!kept && !dim.isConst(1))
            return std::nullopt;
        axes.push_back(kept ? int64_t(next++) : -1);
    }
    skipOnes();
    if (next != from.size())
        return std::nullopt;
    return view(a, Dims(from.size(), dimConst(0)), Dims(from.size(), dimConst(1)), axes, dims);
}

// The sizes were required to have the same product as those of `a`.
Val TypedBuilder::reshaped(const Val &a, ArrayRef<DimAttr> dims) {
    if (!a.isArray()) { // one element
        Val fresh = alloc(dims, operandOf(a).dtype);
        assign(fresh, a);
        return fresh;
    }
    Dims from = dimsOf(a);
    ArrayType array = a.array();
    if (from.size() == 1 && dims.size() == 1) // two expressions of one size
        return view(a, dimConst(0), dimConst(1), 0, from);
    if (!from.empty())
        if (std::optional<Val> same = reshapeUnitAxes(a, dims))
            return *same;
    if (array.getLayout() == Layout::C)
        return typed(ReshapeOp::create(b, loc, a.value, dims, Layout::C));
    Dims longer;
    SmallVector<int64_t> axes;
    for (auto [axis, dim] : llvm::enumerate(from))
        if (!dim.isConst(1)) {
            longer.push_back(dim);
            axes.push_back(axis);
        }
    if (longer.size() > 1)
        return typed(ReshapeAnyOp::create(b, loc, a.value, dims, Layout::Strided));
    if (from.size() != 1)
        return reshaped(
            view(a, Dims(from.size(), dimConst(0)), Dims(from.size(), dimConst(1)), axes, longer),
            dims);
    return typed(ReshapeOp::create(b, loc, a.value, dims, Layout::Strided)); // splits one axis
}

Val TypedBuilder::ravel(const Val &a) {
    if (!a.isArray() || a.array().getLayout() == Layout::C)
        return reshape(a, {intVal(-1)});
    const DimAttr size = facts.canonical(dimProduct(ctx, dimsOf(a)));
    return typed(ReshapeAnyOp::create(b, loc, a.value, size, Layout::C));
}

//===-- Reductions

SmallVector<int64_t> TypedBuilder::axesOf(const Val &axis, int64_t rank) {
    SmallVector<int64_t> axes;
    if (axis.isNone()) {
        for (int64_t i = 0; i < rank; ++i)
            axes.push_back(i);
        return axes;
    }
    if (axis.isTuple() && axis.list)
        fail("TypeError", "'list' object cannot be interpreted as an integer");
    std::vector<Val> single = {axis};
    for (const Val &v : axis.isArray() ? single : itemsIn(axis, "a tuple of axes")) {
        std::optional<int64_t> i = v.constInt();
        if (!i)
            toDim(v); // a TypeError where it is no integer
        if (!i)
            needConstant(v, "an axis must be a constant (it decides the result's rank)");
        if (rank == 0 && !axis.isTuple() && (*i == 0 || *i == -1))
            return axes;
        axes.push_back(*i);
    }
    return SmallVector<int64_t>(shapes::axesIn(*this, axes, rank));
}

std::optional<int64_t> TypedBuilder::shortAxisSize(DimAttr size) {
    DimAttr known = facts.canonical(size);
    for (int64_t length : {2, 3, 4})
        if (known.isConst() ? known.getValue() == length : assumeEqual(known, dimConst(length)))
            return length;
    return std::nullopt;
}

// A chain of element-wise ufuncs, which fuses with the producers of the operand and the consumers
// of the result.
Val TypedBuilder::reduceShortAxis(StringRef combine, Value value, int64_t items, bool keepdims) {
    Val all = materialize(value), result;
    Dims dims = dimsOf(all), steps(dims.size(), dimConst(1)), offsets(dims.size(), dimConst(0));
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, dims.size() - 1));
    dims.pop_back();
    if (keepdims) {
        axes.push_back(-1);
        dims.push_back(dimConst(1));
    }
    for (int64_t k = 0; k < items; ++k) {
        offsets.back() = dimConst(k);
        Val item = view(all, offsets, steps, axes, dims);
        if (k > 0 || combine == "add") // NumPy's sums start from 0.0: never -0.0
            item = ufunc(combine, {k > 0 ? result : castTo(intVal(0), operandOf(all).dtype), item});
        result = item;
    }
    return result;
}

// Whether to reduce the outer axes first: rows are so short that their horizontal reduction costs
// more than reading them, one slice of the last and the kept axes fits in L1, and the order of the
// reduction does not change the result.
bool TypedBuilder::hasShortRows(StringRef combine, RankedTensorType tensor, ArrayRef<int64_t> axes,
                                ArrayRef<int64_t> last) {
    constexpr int64_t maxRowItems = 64, maxSliceBytes = 16 << 10;
    const DType dtype = operandType(tensor)->dtype;
    if (isComplex(dtype) || (isFloat(dtype) && combine != "minimum" && combine != "maximum"))
        return false;
    DimAttr row = dimConst(1), all = dimConst(int64_t(itemSize(dtype)));
    for (auto [d, size] : llvm::enumerate(valueDims(tensor))) {
        const bool isLast = llvm::is_contained(last, int64_t(d));
        if (isLast)
            row = dimMul(row, size);
        if (isLast || !llvm::is_contained(axes, int64_t(d)))
            all = dimMul(all, size);
    }
    std::optional<int64_t> items = sizeHint(row), bytes = sizeHint(all);
    return items && bytes && *items <= maxRowItems && *bytes <= maxSliceBytes;
}

Val TypedBuilder::reduce(StringRef combine, Value value, ArrayRef<int64_t> axes, bool keepdims) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor || axes.empty())
        return materialize(value);
    if (tensor.getRank() > 1 && axes.size() == 1 && axes[0] == tensor.getRank() - 1 &&
        !combine.starts_with("arg") && !isComplex(operandType(tensor)->dtype))
        if (std::optional<int64_t> items = shortAxisSize(valueDims(tensor).back()))
            return reduceShortAxis(combine, value, *items, keepdims);
    // Axes on both sides of a kept axis: the last ones are reduced first, in memory order, where
    // one nest would stream through the whole array for each index of the kept axis.
    SmallVector<int64_t> last(axes), before;
    llvm::sort(last);
    while (!last.empty() && last.back() != tensor.getRank() - 1)
        last.pop_back();
    while (last.size() > 1 && last.front() + int64_t(last.size()) != tensor.getRank()) {
        before.push_back(last.front());
        last.erase(last.begin());
    }
    if (!before.empty() && !last.empty()) {
        if (!hasShortRows(combine, tensor, axes, last))
            return reduce(combine, read(reduce(combine, value, last, keepdims)), before, keepdims);
        Value rows = read(reduce(combine, value, before, keepdims));
        for (int64_t &axis : last)
            axis -= keepdims ? 0 : int64_t(before.size());
        return reduce(combine, rows, last, keepdims);
    }
    return materialize(ReduceOp::create(b, loc, combine, value, axes, keepdims));
}

// NumPy's dtypes that are not supported: byte-swapped, strings, datetimes, structured.
static bool isUnsupportedDType(StringRef text) {
    if (text.contains(',') ||
        llvm::is_contained({"str", "bytes", "object", "object_", "str_", "bytes_", "void",
                            "longdouble", "clongdouble", "datetime64", "timedelta64", "unicode"},
                           text))
        return true;
    text = text.ltrim("<>=|");
    if (text.empty() || !StringRef("?bBhHiIlLqQefdgFDGSUaVOmMc").contains(text[0]))
        return false;
    const StringRef rest = text.drop_front();
    const bool sized = rest.find_first_not_of("0123456789") == StringRef::npos;
    return sized || ((text[0] == 'm' || text[0] == 'M') && rest.contains('['));
}

DType TypedBuilder::dtypeOf(const Val &v) {
    if (v.isStatic("dtype") || v.isStatic("type") || v.isStatic("str"))
        if (std::optional<DType> dtype = dtypeFromName(v.staticText()))
            return *dtype;
    if (v.isStatic("str") && isUnsupportedDType(v.staticText()))
        unsupported("the dtype '" + v.staticText() + "' is not supported");
    if (v.isStatic("str"))
        fail("TypeError", "data type '" + v.staticText() + "' not understood");
    unsupported("a dtype must be a constant such as np.float64, not " + describe(v));
}
