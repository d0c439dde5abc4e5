#include "ops/numpy/reduction_request.h"

#include "ir/layout.h"
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/operands.h"
#include "ops/builder/reductions.h"
#include "ops/numpy/call_ufunc.h"
#include "ops/ufunc/ufunc.h"

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
    const Dims dims = dimsOf(flags);
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
        r.a = castTo(e, r.a, e.operandOf(r.a).dtype);
    r.dims = dimsOf(r.a);
    const Val *axis = in.find("axis"), *keepdims = in.find("keepdims"), *dtype = in.find("dtype"),
              *out = in.find("out"), *initial = in.find("initial");
    r.axes = axesOf(e, axis ? *axis : e.noneVal(), r.dims.size());
    if (keepdims && keepdims->isScalar() && !isPyScalar(keepdims->type()) &&
        !isInteger(e.operandOf(*keepdims).dtype))
        e.fail("TypeError",
               "'" + keepdims->className() + "' object cannot be interpreted as an integer");
    std::optional<bool> keep = keepdims ? keepdims->constBool() : false;
    if (!keep)
        needConstant(e, *keepdims, "keepdims must be a constant (it decides the result's rank)");
    r.keepdims = *keep;
    if (dtype && !dtype->isNone())
        r.dtype = dtypeOf(e, *dtype);
    else if (out && out->isArray())
        r.dtype = promote(e.operandOf(r.a).dtype, e.operandOf(*out).dtype);
    r.where = whereMask(e, in, r);
    if (initial && !initial->isNone())
        r.initial = initial->isArray() && initial->array().getRank() == 0
                        ? e.typed(read(e, *initial))
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
    return ufunc(e, "where", {r.where, a, castTo(e, otherwise, e.operandOf(a).dtype)});
}

Val shapecast::reductionCount(TypedBuilder &e, const Arguments &in, const ReductionRequest &r,
                              bool keepdims) {
    const DimAttr count = reducedCount(e, in, r);
    if (r.where.kind == Val::Kind::Unbound)
        return e.sizeVal(count);
    const Value flags = castValue(e, read(e, r.where), DType::I64);
    return reduce(
        e, "add",
        broadcastValue(e,
                       r.dims.empty() || isa<RankedTensorType>(flags.getType())
                           ? flags
                           : SplatOp::create(e.b, e.loc, flags, r.dims, e.device).getResult(),
                       r.dims),
        r.axes, keepdims);
}

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
