// Reductions of NumPy: sum prod min max mean any all, with axis (int, tuple, None) and keepdims.
#include "ir/layout.h"
#include "ops/numpy/functions.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Whether where= is absent or the constant True.
static bool isTrivialMask(const Val &where) {
    return where.kind == Val::Kind::Unbound || (where.isScalar() && where.constBool() == true);
}

// where= as a mask that broadcasts to the array, or Unbound.
static Val whereMask(TypedBuilder &e, const Arguments &in, const ReductionRequest &r) {
    const Val *given = in.find("where");
    if (!given || isTrivialMask(*given))
        return Val();
    Val flags = given->isTuple() ? makeNumber(e, DType::Bool, given) : *given;
    checkCast(e, e.operandOf(flags).dtype, DType::Bool, Casting::Safe);
    const Dims dims = e.dimsOf(flags);
    if (dims.size() > r.dims.size())
        e.fail("ValueError",
               "input operand has more dimensions than allowed by the axis remapping");
    SmallVector<DimAttr> payload;
    const std::string message = "operands could not be broadcast together with remapped shapes "
                                "[original->remapped]: " +
                                shapeText(r.dims, payload) + " " + shapeText(dims, payload) + " ";
    for (auto [dim, goal] : llvm::zip_equal(dims, ArrayRef(r.dims).take_back(dims.size())))
        if (!e.assumeEqual(dim, goal) && !e.assumeEqual(dim, e.dimConst(1)))
            e.require("broadcast_to", {dim, goal}, "ValueError", message, payload);
    return flags;
}

ReductionRequest shapecast::reductionRequest(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r;
    r.a = in["a"].isTuple() ? asArray(e, in["a"]) : in["a"];
    if (r.a.isScalar()) // a NumPy scalar from here on
        r.a = e.castTo(r.a, e.operandOf(r.a).dtype);
    r.dims = e.dimsOf(r.a);
    const Val *axis = in.find("axis"), *keepdims = in.find("keepdims"), *dtype = in.find("dtype"),
              *out = in.find("out"), *initial = in.find("initial");
    r.axes = e.axesOf(axis ? *axis : e.noneVal(), r.dims.size());
    if (keepdims && keepdims->isScalar() && !isPyScalar(keepdims->type()) &&
        !isInteger(e.operandOf(*keepdims).dtype))
        e.fail("TypeError",
               "'" + e.classNameOf(*keepdims) + "' object cannot be interpreted as an integer");
    std::optional<bool> keep = keepdims ? keepdims->constBool() : false;
    if (!keep)
        e.needConstant(*keepdims, "keepdims must be a constant (it decides the result's rank)");
    r.keepdims = *keep;
    if (dtype && !dtype->isNone())
        r.dtype = e.dtypeOf(*dtype);
    else if (out && out->isArray())
        r.dtype = promote(e.operandOf(r.a).dtype, e.operandOf(*out).dtype);
    r.where = whereMask(e, in, r);
    if (initial && !initial->isNone())
        r.initial = initial->isArray() && initial->array().getRank() == 0
                        ? e.typed(e.read(*initial))
                        : *initial;
    return r;
}

DimAttr shapecast::reducedCount(TypedBuilder &e, const Arguments &in, const ReductionRequest &r) {
    const Val *axis = in.find("axis");
    if (r.dims.empty() && axis && !axis->isNone() && !axis->isTuple())
        axisArgument(e, *axis, 0);
    DimAttr count = e.dimConst(1);
    for (int64_t i : r.axes)
        count = dimMul(count, r.dims[i]);
    return count;
}

Val shapecast::applyWhere(TypedBuilder &e, const ReductionRequest &r, const Val &a,
                          const Val &otherwise) {
    if (r.where.kind == Val::Kind::Unbound)
        return a;
    return e.ufunc("where", {r.where, a, e.castTo(otherwise, e.operandOf(a).dtype)});
}

Val shapecast::reductionCount(TypedBuilder &e, const Arguments &in, const ReductionRequest &r,
                              bool keepdims) {
    const DimAttr count = reducedCount(e, in, r);
    if (r.where.kind == Val::Kind::Unbound)
        return e.sizeVal(count);
    const Value flags = e.castValue(e.read(r.where), DType::I64);
    return e.reduce(
        "add",
        e.broadcastValue(r.dims.empty() || isa<RankedTensorType>(flags.getType())
                             ? flags
                             : SplatOp::create(e.b, e.loc, flags, r.dims, e.device).getResult(),
                         r.dims),
        r.axes, keepdims);
}

// initial=, converted as for a store to an element of the dtype.
static Val initialValue(TypedBuilder &e, const Val &given, DType dtype) {
    if (!given.isScalar() || given.weakFlag)
        e.unsupported("initial= must be a scalar, not " + e.describe(given));
    e.checkComplexStore(given, dtype);
    const Val number = e.storedNumber(given, dtype);
    e.checkWeakBounds(*findUfunc("positive"), Loop{{dtype}, dtype}, number);
    return e.castTo(number, dtype);
}

static bool isGiven(const Val &v) { return v.kind != Val::Kind::Unbound; }

// The axis with unit stride, as far as types and views show.
static int64_t innerAxis(Value array) {
    if (auto assumed = array.getDefiningOp<CastOp>())
        if (isa<ArrayType>(assumed.getOperand().getType()))
            return innerAxis(assumed.getOperand());
    if (auto view = array.getDefiningOp<ViewOp>())
        for (auto [axis, of] : llvm::enumerate(view.getAxes()))
            if (of == innerAxis(view.getBase()))
                return int64_t(axis);
    return walksFortran(array) ? 0 : cast<ArrayType>(array.getType()).getRank() - 1;
}

// NumPy accumulates float16 in float32 along the innermost axis in memory, and along others row by
// row, each rounded to float16.
DType shapecast::accumulatedIn(const ReductionRequest &r, DType out) {
    if (out != DType::F16)
        return out;
    const bool byRows = r.dims.size() > 1 && !llvm::is_contained(r.axes, innerAxis(r.a.value));
    return byRows ? DType::F16 : DType::F32;
}

static Val accumulate(TypedBuilder &e, const Arguments &in, StringRef combine, int64_t identity) {
    const ReductionRequest r = reductionRequest(e, in);
    const DType from = e.operandOf(r.a).dtype;
    // bool and small integers accumulate in int64 or uint64
    const DType out = r.dtype.value_or(isBool(from) || isSigned(from) ? DType::I64
                                       : isUnsigned(from)             ? DType::U64
                                                                      : from);
    const DType work = accumulatedIn(r, out);
    const Val items = applyWhere(e, r, r.a, e.intVal(identity));
    Val total = e.reduce(combine, e.castValue(e.read(items), work), r.axes, r.keepdims);
    if (isGiven(r.initial))
        total = e.ufunc(combine, {e.castTo(initialValue(e, r.initial, out), work), total});
    return work == out ? total : e.castTo(total, out);
}

static Val sum(TypedBuilder &e, const Arguments &in) { return accumulate(e, in, "add", 0); }
static Val prod(TypedBuilder &e, const Arguments &in) { return accumulate(e, in, "multiply", 1); }

static Val mean(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = reductionRequest(e, in);
    DType from = e.operandOf(r.a).dtype;
    const Val *given = in.find("dtype");
    const bool isExact = !isFloat(from) && !isComplex(from);
    DType out = given && !given->isNone() ? *r.dtype : isExact ? DType::F64 : from;
    DType work = out == DType::F16 ? DType::F32 : out;
    const Val items = applyWhere(e, r, r.a, e.intVal(0));
    Val total = e.reduce(isBool(work) ? "logical_or" : "add", e.castValue(e.read(items), work),
                         r.axes, r.keepdims);
    Val count = reductionCount(e, in, r, r.keepdims);
    if (isInteger(work) || isBool(work)) // divided in double precision and truncated
        return e.castTo(e.ufunc("divide", {total, e.castTo(count, DType::F64)}), out);
    // NumPy divides by an int64: complex64 becomes complex128 for it.
    const DType wide = work == DType::C64 ? DType::C128 : work;
    Val result = e.ufunc("divide", {e.castTo(total, wide), e.castTo(count, realPart(wide))}, wide);
    return out == wide ? result : e.castTo(result, out);
}

static Val extreme(TypedBuilder &e, const Arguments &in, StringRef combine) {
    const ReductionRequest r = reductionRequest(e, in);
    const DType dtype = e.operandOf(r.a).dtype;
    if (isGiven(r.initial)) {
        const Val initial = initialValue(e, r.initial, dtype);
        const Val items = applyWhere(e, r, r.a, initial);
        return e.ufunc(combine, {initial, e.reduce(combine, e.read(items), r.axes, r.keepdims)});
    }
    if (isGiven(r.where))
        e.fail("ValueError", "reduction operation '" + combine +
                                 "' does not have an identity, so to use a where mask one has to "
                                 "specify 'initial'");
    for (int64_t axis : r.axes)
        if (!e.assumeGreaterEqual(r.dims[axis], e.dimConst(1)))
            e.require("ge", {r.dims[axis], e.dimConst(1)}, "ValueError",
                      "zero-size array to reduction operation " + combine +
                          " which has no identity");
    return e.reduce(combine, e.read(r.a), r.axes, r.keepdims);
}

static Val minimum(TypedBuilder &e, const Arguments &in) { return extreme(e, in, "minimum"); }
static Val maximum(TypedBuilder &e, const Arguments &in) { return extreme(e, in, "maximum"); }

static Val quantified(TypedBuilder &e, const Arguments &in, bool all) {
    const ReductionRequest r = reductionRequest(e, in);
    const Val flags = applyWhere(e, r, e.castTo(r.a, DType::Bool), e.boolVal(all));
    return e.reduce(all ? "logical_and" : "logical_or", e.read(flags), r.axes, r.keepdims);
}
static Val any(TypedBuilder &e, const Arguments &in) { return quantified(e, in, false); }
static Val all(TypedBuilder &e, const Arguments &in) { return quantified(e, in, true); }

ArrayRef<Function> shapecast::reduceFunctions() {
    static const Function list[] = {
        {"numpy.sum", "a, axis=, dtype=, out=, keepdims=, initial=, where=", sum, true},
        {"numpy.prod", "a, axis=, dtype=, out=, keepdims=, initial=, where=", prod, true},
        {"numpy.mean", "a, axis=, dtype=, out=, keepdims=, *, where=", mean, true},
        {"numpy.min", "a, axis=, out=, keepdims=, initial=, where=", minimum, true},
        {"numpy.max", "a, axis=, out=, keepdims=, initial=, where=", maximum, true},
        {"numpy.amin", "a, axis=, out=, keepdims=, initial=, where=", minimum},
        {"numpy.amax", "a, axis=, out=, keepdims=, initial=, where=", maximum},
        {"numpy.any", "a, axis=, out=, keepdims=, *, where=", any},
        {"numpy.all", "a, axis=, out=, keepdims=, *, where=", all},
        {"ndarray.any", "a, axis=, dtype=, out=, keepdims=, *, where=", any, true},
        {"ndarray.all", "a, axis=, dtype=, out=, keepdims=, *, where=", all, true},
    };
    return list;
}
