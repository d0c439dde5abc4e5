// NumPy functions for evenly spaced numbers: arange, linspace.
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/tables.h"

#include <cmath>

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// start + i * step for i < size, in the dtype; size is 1-D.
static Value ramp(TypedBuilder &e, DimAttr size, const Val &start, const Val &step, DType dtype) {
    Val index =
        materialize(e, IotaOp::create(e.b, e.loc, size, scalarType(e.ctx, dtype), 0, e.device));
    Val scaled = ufunc(e, "multiply", {index, step}, dtype);
    return read(e, ufunc(e, "add", {scaled, start}, dtype));
}

static Val arange(TypedBuilder &e, const Arguments &in) {
    const Val *startGiven = in.find("start"), *stopGiven = in.find("stop");
    const bool hasStop = stopGiven && !stopGiven->isNone();
    if (!startGiven && !hasStop)
        e.fail("TypeError", "arange() requires stop to be specified.");
    const Val start = startGiven && hasStop ? *startGiven : e.intVal(0),
              stop = hasStop ? *stopGiven : *startGiven;
    const Val *stepGiven = in.find("step");
    Val step = stepGiven && !stepGiven->isNone() ? *stepGiven : e.intVal(1);
    DType common = resultType({e.operandOf(start), e.operandOf(stop), e.operandOf(step)});
    // NumPy starts from its default integer: np.float32 scalars give float64.
    DType dtype = dtypeOr(e, in, promote(common, DType::I64));
    if (isInteger(common) || isBool(common)) {
        DimAttr a = toDim(e, start), z = toDim(e, stop), s = toDim(e, step);
        if (!e.assumeNotEqual(s, e.dimConst(0)))
            e.require("ne", {s, e.dimConst(0)}, "ZeroDivisionError", "division by zero");
        DimAttr size = e.facts.canonical(dimCeilDiv(dimSub(z, a), s));
        if (!e.assumeGreaterEqual(size, e.dimConst(0)))
            size = dimMax(size, e.dimConst(0));
        e.requireBytes(size, dtype);
        if (isBool(dtype) && !e.assumeGreaterEqual(e.dimConst(2), size))
            e.require("ge", {e.dimConst(2), size}, "TypeError",
                      "arange() is only supported for booleans when the result has at most length "
                      "2.");
        if (isInteger(dtype))
            return materialize(
                e, ramp(e, size, castTo(e, start, dtype), castTo(e, step, dtype), dtype));
        return materialize(e, castValue(e,
                                        ramp(e, size, castTo(e, start, DType::F64),
                                             castTo(e, step, DType::F64), DType::F64),
                                        dtype));
    }
    if (isComplex(common))
        e.unsupported("arange of complex numbers is not supported");
    // NumPy: length ceil((stop - start) / step), elements start + i * ((start + step) - start).
    Val first = toPy(e, start, PyKind::Float), pace = toPy(e, step, PyKind::Float);
    Val span = binary(e, "sub", toPy(e, stop, PyKind::Float), first);
    Val count = pyop(e, "math.ceil", binary(e, "truediv", span, pace), PyIntType::get(e.ctx));
    DimAttr size = dimMax(count.dim, e.dimConst(0));
    e.requireBytes(size, dtype);
    Val delta = binary(e, "sub", binary(e, "add", first, pace), first);
    DType work = isFloat(dtype) && dtype != DType::F16 ? dtype : DType::F64;
    return materialize(
        e,
        castValue(e, ramp(e, size, castTo(e, first, work), castTo(e, delta, work), work), dtype));
}

//===-- linspace

namespace {
struct Samples {
    DimAttr size, steps; // the number of samples, and of steps between the ends
    bool endpoint;
};
} // namespace

static Samples samplesOf(TypedBuilder &e, const Arguments &in) {
    const Val *num = in.find("num");
    DimAttr size = num ? e.facts.canonical(toDim(e, *num)) : e.dimConst(50);
    if (!e.assumeGreaterEqual(size, e.dimConst(0)))
        e.require("ge", {size, e.dimConst(0)}, "ValueError",
                  "Number of samples, {0}, must be non-negative.", {size});
    e.requireBytes(size, DType::F64);
    const bool endpoint = flagArgument(e, in, "endpoint", true);
    return {size, endpoint ? dimSub(size, e.dimConst(1)) : size, endpoint};
}

// 0, 1, ... along the first axis of a value of that rank.
static Val counter(TypedBuilder &e, DimAttr size, size_t rank, DType dtype) {
    Val index =
        materialize(e, IotaOp::create(e.b, e.loc, size, scalarType(e.ctx, dtype), 0, e.device));
    if (rank == 1)
        return index;
    Dims dims(rank, e.dimConst(1));
    dims[0] = size;
    SmallVector<int64_t> axes(rank, -1);
    axes[0] = 0;
    return view(e, index, e.dimConst(0), e.dimConst(1), axes, dims);
}

// If any step rounds to 0, NumPy divides the indices first and multiplies after.
static Val spread(TypedBuilder &e, const Val &index, const Val &delta, const Val &step,
                  const Val &parts, DType dtype) {
    const Val line = ufunc(e, "multiply", {index, step});
    if (!delta.isArray())
        return line;
    const Val anyZero =
        callFunction(e, *findFunction("numpy.any"), {ufunc(e, "equal", {step, e.intVal(0)})}, {});
    const Val share = ufunc(e, "divide", {index, castTo(e, parts, realPart(dtype))});
    return ufunc(e, "where", {anyZero, ufunc(e, "multiply", {share, delta}), line});
}

static Val linspace(TypedBuilder &e, const Arguments &in) {
    auto given = [&](StringRef name) {
        const Val v = in[name].isTuple() ? asArray(e, in[name]) : in[name];
        return v.isArray() && v.array().getRank() == 0 ? e.typed(read(e, v)) : v;
    };
    Val start = given("start"), stop = given("stop");
    // The dtype of the computation: float32 for two np.float32 scalars.
    OperandType real{DType::F64, PyKind::Float};
    const DType work = resultType({e.operandOf(start), e.operandOf(stop), real});
    start = castTo(e, start, work);
    stop = castTo(e, stop, work);
    const Samples samples = samplesOf(e, in);
    const DimAttr one = e.dimConst(1);
    const Val delta = ufunc(e, "subtract", {stop, start});
    const size_t rank = dimsOf(delta).size() + 1;
    const Val parts = e.sizeVal(dimMax(samples.steps, one)); // one sample: the divisor is arbitrary
    const Val step = ufunc(e, "divide", {delta, castTo(e, parts, realPart(work))});
    const Val index = counter(e, samples.size, rank, work);
    Val line = ufunc(e, "add", {spread(e, index, delta, step, parts, work), start});
    if (samples.endpoint && e.facts.equal(samples.size, one) != Answer::Yes) { // exactly stop
        const Val last = e.sizeVal(dimMax(samples.steps, one));
        const Val isLast = ufunc(e, "equal", {counter(e, samples.size, rank, DType::I64), last});
        line = ufunc(e, "where", {isLast, stop, line});
    }
    const DType dtype = dtypeOr(e, in, work);
    if (isInteger(dtype))
        line = ufunc(e, "floor", {line});
    if (dtype != work)
        line = castTo(e, line, dtype);
    if (const Val *axis = in.find("axis"); axis && axis->constInt() != 0)
        line = callFunction(e, *findFunction("numpy.moveaxis"), {line, e.intVal(0), *axis}, {});
    if (!flagArgument(e, in, "retstep", false))
        return line;
    if (e.assumeGreaterEqual(samples.steps, one))
        return e.tupleVal({line, step});
    if (e.assumeGreaterEqual(e.dimConst(0), samples.steps))
        return e.tupleVal({line, e.floatVal(std::nan(""))});
    e.unsupported("linspace(..., retstep=True) with a number of samples known only at run time is "
                  "not supported; compute the step");
}

ArrayRef<Function> shapecast::rangeFunctions() {
    static const Function list[] = {
        {"numpy.arange", "start=, stop=, step=, dtype=", arange},
        {"numpy.linspace", "start, stop, num=, endpoint=, retstep=, dtype=, axis=", linspace},
    };
    return list;
}
