#include "ops/builder/elements.h"

#include "ir/layout.h"
#include "ops/builder/memory.h"
#include "shapes/rules.h"

#include "llvm/Support/SaveAndRestore.h"

#include <limits>

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Between array handles and SSA tensors

Value shapecast::read(TypedBuilder &e, const Val &v) {
    ArrayType array = v.array();
    if (!array)
        return v.value;
    if (array.getRank() == 0)
        return LoadOp::create(e.b, e.loc, array.getDtype(), v.value, dimArray(e.ctx, {}));
    return ReadOp::create(e.b, e.loc, v.value);
}

Val shapecast::materialize(TypedBuilder &e, Value value, Layout layout) {
    const bool isValue = isa<RankedTensorType>(value.getType());
    return e.typed(isValue ? MaterializeOp::create(e.b, e.loc, value, layout) : value);
}

Value shapecast::broadcastValue(TypedBuilder &e, Value value, ArrayRef<DimAttr> dims) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor || valueDims(tensor) == dims)
        return value;
    return BroadcastOp::create(e.b, e.loc, value, dims);
}

StringAttr shapecast::commonDevice(const TypedBuilder &e, ArrayRef<Val> operands) {
    auto text = [&](const Val &v) { return v.describe() + (deviceOf(v.type()) ? "" : " on cpu"); };
    const Val *first = nullptr;
    for (const Val &v : operands) {
        if (!v.isArray())
            continue;
        if (first && deviceOf(first->type()) != deviceOf(v.type()))
            e.fail("TypeError", "arrays on different devices: " + text(*first) + " and " + text(v) +
                                    "; nothing is copied silently, bring them to one device first");
        first = first ? first : &v;
    }
    return first ? deviceOf(first->type()) : StringAttr();
}

static Val copyTo(TypedBuilder &e, const Val &v, StringAttr device, int64_t maxBytes) {
    llvm::SaveAndRestore there(e.device, device);
    const Val copy = alloc(e, dimsOf(v), e.operandOf(v).dtype);
    if (!device)
        native(e, "copy_to_host", {copy}, {v});
    else
        native(
            e, "copy_to_device", {copy}, {v, e.intVal(maxBytes)}, "TypeError",
            "arrays on different devices: " + v.describe() +
                " on cpu has {0} bytes, and only "
                "arrays of at most 65536 bytes are copied to " +
                device.getValue() +
                " where they meet arrays there; copy it first (shapecast.to_device, cupy.asarray)");
    return copy;
}

Val shapecast::copyTo(TypedBuilder &e, const Val &v, StringAttr device) {
    return deviceOf(v.type()) == device
               ? v
               : ::copyTo(e, v, device, std::numeric_limits<int64_t>::max());
}

Val shapecast::copyToHost(TypedBuilder &e, Val v) {
    if (v.isArray())
        return copyTo(e, v, StringAttr());
    if ((v.isTuple() && !v.cell) || v.isObject("exception"))
        for (Val &item : v.items)
            item = copyToHost(e, item);
    return v;
}

void shapecast::bringTogether(TypedBuilder &e, MutableArrayRef<Val> operands) {
    constexpr int64_t maxBytes = 1 << 16;
    StringAttr device;
    for (const Val &v : operands)
        if (v.isArray() && deviceOf(v.type()))
            device = deviceOf(v.type());
    for (Val &v : operands)
        if (device && v.isArray() && !deviceOf(v.type()))
            v = ::copyTo(e, v, device, maxBytes);
    commonDevice(e, operands); // or fails
}

//===-- Broadcasting

Dims shapecast::broadcastDims(TypedBuilder &e, ArrayRef<Dims> shapes) {
    return e.namedSizes(shapes::broadcast(e, shapes));
}

// Together with the out= array, if there is one.
Dims shapecast::broadcastOperands(TypedBuilder &e, ArrayRef<Dims> shapes) {
    const Val *target = std::exchange(e.ufuncTarget, nullptr);
    if (!target)
        return broadcastDims(e, shapes);
    SmallVector<Dims> all(shapes);
    all.push_back(dimsOf(*target));
    Dims dims = shapes::broadcast(e, shapes, all);
    checkOutputShape(e, all.back(), dims, all);
    return dims;
}

// A Python int of 128 bits as a NumPy number: raises where the dtype cannot hold it.
static Value wideIntAs(TypedBuilder &e, Value value, DType dtype) {
    const Val wide = e.typed(value);
    if (isBool(dtype))
        return pyop(e, "bool", {wide}, PyBoolType::get(e.ctx)).value;
    if (!isInteger(dtype))
        return pyop(e, "float", {wide}, PyFloatType::get(e.ctx)).value;
    auto constant = value.getDefiningOp<ConstOp>();
    if (constant && (dtype != DType::U64 || !wideInt(constant.getValue()).isIntN(64)))
        e.require("false", {}, "OverflowError",
                  "Python integer " + cast<PyAttr>(constant.getValue()).getText() +
                      " out of bounds for " + dtypeName(dtype));
    if (dtype == DType::U64)
        return pyop(e, "uint64", {wide}, PyIntType::get(e.ctx)).value;
    const Val narrow = pyop(e, "int", {wide}, PyIntType::get(e.ctx));
    checkWeakBounds(e, *findUfunc("positive"), Loop{{dtype}, dtype}, narrow);
    return narrow.value;
}

Value shapecast::castValue(TypedBuilder &e, Value value, DType dtype) {
    if (isa<PyWideIntType>(value.getType()))
        value = wideIntAs(e, value, dtype);
    Type target = scalarType(e.ctx, dtype);
    if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
        target = valueType(valueDims(tensor), target, deviceOf(tensor));
    if (value.getType() == target)
        return value;
    return CastOp::create(e.b, e.loc, target, value);
}

Layout shapecast::resultLayout(ArrayRef<Val> operands) {
    SmallVector<Value> arrays;
    for (const Val &v : operands)
        if (v.isArray())
            arrays.push_back(v.value);
    return layoutOfResult(arrays);
}

SmallVector<std::pair<DimAttr, DimAttr>> shapecast::unprovenBounds(TypedBuilder &e,
                                                                   const Val &number, DType dtype) {
    SmallVector<std::pair<DimAttr, DimAttr>> traps;
    if (dtype == DType::I64)
        return traps;
    const int bits = itemSize(dtype) * 8;
    const DimAttr low = e.dimConst(isSigned(dtype) ? -(int64_t(1) << (bits - 1)) : 0);
    if (e.facts.greaterEqual(number.dim, low) != Answer::Yes)
        traps.push_back({number.dim, low});
    if (dtype == DType::U64)
        return traps;
    const DimAttr high = e.dimConst((int64_t(1) << (isSigned(dtype) ? bits - 1 : bits)) - 1);
    if (e.facts.greaterEqual(high, number.dim) != Answer::Yes)
        traps.push_back({high, number.dim});
    return traps;
}

void shapecast::checkWeakBounds(TypedBuilder &e, const Ufunc &ufunc, const Loop &loop,
                                ArrayRef<Val> operands) {
    // Comparisons are exact, and np.where wraps.
    bool free = ufunc.resolution == Resolution::Compare || ufunc.resolution == Resolution::Where;
    for (auto [v, dtype] : llvm::zip(operands, loop.in)) {
        if (free || !v.isPyInt() || !isInteger(dtype))
            continue;
        for (auto [a, c] : unprovenBounds(e, v, dtype))
            e.require("ge", {a, c}, "OverflowError",
                      "Python integer {0} out of bounds for " + dtypeName(dtype), {v.dim});
    }
}

//===-- Python arithmetic

Val shapecast::pyop(TypedBuilder &e, StringRef op, ArrayRef<Val> operands, Type result,
                    bool nowrap) {
    SmallVector<Value> values;
    for (const Val &v : operands)
        values.push_back(v.value);
    return e.typed(PyOp::create(e.b, e.loc, result, e.b.getStringAttr(op), values,
                                nowrap ? e.b.getUnitAttr() : UnitAttr()));
}

static bool isIntermediate(const Val &v) {
    auto op = v.value ? v.value.getDefiningOp<PyOp>() : PyOp();
    return op && op.getIntermediate();
}

static std::optional<int64_t> constantBits(StringRef op, DimAttr a, DimAttr c) {
    if (!a.isConst() || !c.isConst())
        return std::nullopt;
    const int64_t left = a.getValue(), right = c.getValue();
    return op == "or"    ? std::optional(left | right)
           : op == "and" ? std::optional(left & right)
           : op == "xor" ? std::optional(left ^ right)
                         : std::nullopt;
}

// int op int of two size expressions: an expression where that is exact and cannot overflow.
std::optional<Val> shapecast::intArithmetic(TypedBuilder &e, StringRef op, const Val &a,
                                            const Val &c) {
    constexpr int64_t maxExpandedExponent = 4;
    DimAttr result;
    if (op == "pow" && c.dim.isConst() && 0 <= c.dim.getValue() &&
        c.dim.getValue() <= maxExpandedExponent) {
        result = e.dimConst(1);
        for (int64_t k = 0; k < c.dim.getValue(); ++k)
            result = dimMul(result, a.dim);
    } else if (op == "add")
        result = dimAdd(a.dim, c.dim);
    else if (op == "sub")
        result = dimSub(a.dim, c.dim);
    else if (op == "mul")
        result = dimMul(a.dim, c.dim);
    else if (op == "floordiv" && e.facts.greaterEqual(c.dim, e.dimConst(1)) == Answer::Yes)
        result = dimFloorDiv(a.dim, c.dim);
    else if (op == "mod" && e.facts.greaterEqual(c.dim, e.dimConst(1)) == Answer::Yes)
        result = dimMod(a.dim, c.dim);
    else if (const std::optional<int64_t> bits = constantBits(op, a.dim, c.dim)) // of flags
        result = e.dimConst(*bits);
    else
        return std::nullopt;
    const bool divides = op == "floordiv" || op == "mod";
    if (divides && isIntermediate(a)) {
        const Val made = pyop(e, op, {a, c}, PyIntType::get(e.ctx));
        if (op == "mod") {
            e.facts.addGreaterEqual(made.dim, e.dimConst(0));
            e.facts.addGreaterEqual(dimSub(c.dim, e.dimConst(1)), made.dim);
        }
        return made;
    }
    result = e.simpleSize(result);
    auto [low, high] = e.facts.range(result);
    bool fits = low > INT64_MIN / 2 && high < INT64_MAX / 2;
    if (fits || divides)
        return e.sizeVal(result);
    if (e.isIntermediate && !e.sizeHint(result)) { // sizes made of arguments keep their expression
        Val made = pyop(e, op, {a, c}, PyIntType::get(e.ctx));
        made.value.getDefiningOp<PyOp>().setIntermediate(true);
        return made;
    }
    Val checked = pyop(e, op, {a, c},
                       PyIntType::get(e.ctx)); // raises on overflow, so the expression is exact
    checked.dim = result;
    return checked;
}

//===-- Arrays

void shapecast::checkOutputShape(TypedBuilder &e, ArrayRef<DimAttr> out, ArrayRef<DimAttr> result,
                                 ArrayRef<Dims> all) {
    const StringRef error = "shapecast.ShapeError";
    SmallVector<DimAttr> payload, allPayload;
    const std::string stretched = "non-broadcastable output operand with shape " +
                                  shapeText(out, payload) + " doesn't match the broadcast shape " +
                                  shapeText(result, payload);
    std::string mismatch = "operands could not be broadcast together with shapes ";
    for (const Dims &shape : all)
        mismatch += shapeText(shape, allPayload) + " ";
    const DimAttr one = e.dimConst(1);
    const size_t shared = std::min(out.size(), result.size());
    auto isOne = [&](DimAttr dim) { return e.facts.equal(dim, one) == Answer::Yes; };
    for (auto [have, need] : llvm::zip_equal(out.take_back(shared), result.take_back(shared))) {
        if (e.assumeEqual(need, have) || e.assumeEqual(need, one))
            continue;
        const bool single = isOne(have) || e.assumeEqual(have, one);
        if (!all.empty() && !single)
            e.require("broadcast", {need, have}, error, mismatch, allPayload);
        e.require(isOne(have) ? "eq" : "broadcast_to", {need, have}, error, stretched, payload);
    }
    if (result.size() > out.size())
        e.require("false", {}, error, stretched, payload);
}

static std::optional<bool> knownRelation(StringRef op, Answer greaterEqual, Answer lessEqual,
                                         Answer equal) {
    auto known = [](Answer answer, bool yes) {
        return answer == Answer::Unknown ? std::optional<bool>()
                                         : std::optional(answer == Answer::Yes ? yes : !yes);
    };
    if (op == "ge")
        return known(greaterEqual, true);
    if (op == "lt")
        return known(greaterEqual, false);
    if (op == "le")
        return known(lessEqual, true);
    if (op == "gt")
        return known(lessEqual, false);
    return known(equal, op == "eq");
}

Val shapecast::compareInts(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    std::optional<bool> known =
        knownRelation(op, e.facts.greaterEqual(a.dim, c.dim), e.facts.greaterEqual(c.dim, a.dim),
                      e.facts.equal(a.dim, c.dim));
    if (known)
        return e.boolVal(*known);
    Val result = pyop(e, op, {a, c}, PyBoolType::get(e.ctx));
    result.relation = op;
    result.lhs = a.dim;
    result.rhs = c.dim;
    return result;
}

Val shapecast::partOf(TypedBuilder &e, const Val &number, StringRef name) {
    const DType dtype = e.operandOf(number).dtype;
    const Loop loop{{dtype}, dtype == DType::C64 ? DType::F32 : DType::F64};
    return e.typed(
        UfuncOp::create(e.b, e.loc, name, number.value, loop.text(), scalarType(e.ctx, loop.out)));
}
