// Reductions of NumPy: sum prod min max mean any all, with axis (int, tuple, None) and keepdims.
#include "ir/layout.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/reductions.h"
#include "ops/builder/stores.h"
#include "ops/numpy/reduction_request.h"
#include "ops/tables.h"
#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// initial=, converted as for a store to an element of the dtype.
static Val initialValue(TypedBuilder &e, const Val &given, DType dtype) {
    if (!given.isScalar() || given.weakFlag)
        e.unsupported("initial= must be a scalar, not " + given.describe());
    checkComplexStore(e, given, dtype);
    const Val number = storedNumber(e, given, dtype);
    checkWeakBounds(e, *findUfunc("positive"), Loop{{dtype}, dtype}, number);
    return castTo(e, number, dtype);
}

static bool isGiven(const Val &v) { return v.kind != Val::Kind::Unbound; }

static Val accumulate(TypedBuilder &e, const Arguments &in, StringRef combine, int64_t identity) {
    const ReductionRequest r = reductionRequest(e, in);
    const DType from = e.operandOf(r.a).dtype;
    // bool and small integers accumulate in int64 or uint64
    const DType out = r.dtype.value_or(isBool(from) || isSigned(from) ? DType::I64
                                       : isUnsigned(from)             ? DType::U64
                                                                      : from);
    const DType work = accumulatedIn(r, out);
    const Val items = applyWhere(e, r, r.a, e.intVal(identity));
    Val total = reduce(e, combine, castValue(e, read(e, items), work), r.axes, r.keepdims);
    if (isGiven(r.initial))
        total = ufunc(e, combine, {castTo(e, initialValue(e, r.initial, out), work), total});
    return work == out ? total : castTo(e, total, out);
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
    Val total = reduce(e, isBool(work) ? "logical_or" : "add", castValue(e, read(e, items), work),
                       r.axes, r.keepdims);
    Val count = reductionCount(e, in, r, r.keepdims);
    if (isInteger(work) || isBool(work)) // divided in double precision and truncated
        return castTo(e, ufunc(e, "divide", {total, castTo(e, count, DType::F64)}), out);
    // NumPy divides by an int64: complex64 becomes complex128 for it.
    const DType wide = work == DType::C64 ? DType::C128 : work;
    Val result =
        ufunc(e, "divide", {castTo(e, total, wide), castTo(e, count, realPart(wide))}, wide);
    return out == wide ? result : castTo(e, result, out);
}

static Val extreme(TypedBuilder &e, const Arguments &in, StringRef combine) {
    const ReductionRequest r = reductionRequest(e, in);
    const DType dtype = e.operandOf(r.a).dtype;
    if (isGiven(r.initial)) {
        const Val initial = initialValue(e, r.initial, dtype);
        const Val items = applyWhere(e, r, r.a, initial);
        return ufunc(e, combine, {initial, reduce(e, combine, read(e, items), r.axes, r.keepdims)});
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
    return reduce(e, combine, read(e, r.a), r.axes, r.keepdims);
}

static Val minimum(TypedBuilder &e, const Arguments &in) { return extreme(e, in, "minimum"); }
static Val maximum(TypedBuilder &e, const Arguments &in) { return extreme(e, in, "maximum"); }

static Val quantified(TypedBuilder &e, const Arguments &in, bool all) {
    const ReductionRequest r = reductionRequest(e, in);
    const Val flags = applyWhere(e, r, castTo(e, r.a, DType::Bool), e.boolVal(all));
    return reduce(e, all ? "logical_and" : "logical_or", read(e, flags), r.axes, r.keepdims);
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
