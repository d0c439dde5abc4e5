// NumPy functions for evenly spaced numbers: arange, linspace.
#include "ops/numpy/functions.h"

#include <cmath>

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// start + i * step for i < size, in the dtype; size is 1-D.
static Value ramp(TypedBuilder &e, DimAttr size, const Val &start, const Val &step, DType dtype) {
    Val index =
        e.materialize(IotaOp::create(e.b, e.loc, size, scalarType(e.ctx, dtype), 0, e.device));
    Val scaled = e.ufunc("multiply", {index, step}, dtype);
    return e.read(e.ufunc("add", {scaled, start}, dtype));
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
        DimAttr a = e.toDim(start), z = e.toDim(stop), s = e.toDim(step);
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
            return e.materialize(
                ramp(e, size, e.castTo(start, dtype), e.castTo(step, dtype), dtype));
        return e.materialize(e.castValue(
            ramp(e, size, e.castTo(start, DType::F64), e.castTo(step, DType::F64), DType::F64),
            dtype));
    }
    if (isComplex(common))
        e.unsupported("arange of complex numbers is not supported");
    // NumPy: length ceil((stop - start) / step), elements start + i * ((start + step) - start).
    Val first = e.toPy(start, PyKind::Float), pace = e.toPy(step, PyKind::Float);
    Val span = e.binary("sub", e.toPy(stop, PyKind::Float), first);
    Val count = e.pyop("math.ceil", e.binary("truediv", span, pace), PyIntType::get(e.ctx));
    DimAttr size = dimMax(count.dim, e.dimConst(0));
    e.requireBytes(size, dtype);
    Val delta = e.binary("sub", e.binary("add", first, pace), first);
    DType work = isFloat(dtype) && dtype != DType::F16 ? dtype : DType::F64;
    return e.materialize(
        e.castValue(ramp(e, size, e.castTo(first, work), e.castTo(delta, work), work), dtype));
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
    DimAttr size = num ? e.facts.canonical(e.toDim(*num)) : e.dimConst(50);
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
        e.materialize(IotaOp::create(e.b, e.loc, size, scalarType(e.ctx, dtype), 0, e.device));
    if (rank == 1)
        return index;
    Dims dims(rank, e.dimConst(1));
    dims[0] = size;
    SmallVector<int64_t> axes(rank, -1);
    axes[0] = 0;
    return e.view(index, e.dimConst(0), e.dimConst(1), axes, dims);
}

// If any step rounds to 0, NumPy divides the indices first and multiplies after.
static Val spread(TypedBuilder &e, const Val &index, const Val &delta, const Val &step,
                  const Val &parts, DType dtype) {
    const Val line = e.ufunc("multiply", {index, step});
    if (!delta.isArray())
        return line;
    const Val anyZero =
        callFunction(e, *findFunction("numpy.any"), {e.ufunc("equal", {step, e.intVal(0)})}, {});
    const Val share = e.ufunc("divide", {index, e.castTo(parts, realPart(dtype))});
    return e.ufunc("where", {anyZero, e.ufunc("multiply", {share, delta}), line});
}

static Val linspace(TypedBuilder &e, const Arguments &in) {
    auto given = [&](StringRef name) {
        const Val v = in[name].isTuple() ? asArray(e, in[name]) : in[name];
        return v.isArray() && v.array().getRank() == 0 ? e.typed(e.read(v)) : v;
    };
    Val start = given("start"), stop = given("stop");
    // The dtype of the computation: float32 for two np.float32 scalars.
    OperandType real{DType::F64, PyKind::Float};
    const DType work = resultType({e.operandOf(start), e.operandOf(stop), real});
    start = e.castTo(start, work);
    stop = e.castTo(stop, work);
    const Samples samples = samplesOf(e, in);
    const DimAttr one = e.dimConst(1);
    const Val delta = e.ufunc("subtract", {stop, start});
    const size_t rank = e.dimsOf(delta).size() + 1;
    const Val parts = e.sizeVal(dimMax(samples.steps, one)); // one sample: the divisor is arbitrary
    const Val step = e.ufunc("divide", {delta, e.castTo(parts, realPart(work))});
    const Val index = counter(e, samples.size, rank, work);
    Val line = e.ufunc("add", {spread(e, index, delta, step, parts, work), start});
    if (samples.endpoint && e.facts.equal(samples.size, one) != Answer::Yes) { // exactly stop
        const Val last = e.sizeVal(dimMax(samples.steps, one));
        const Val isLast = e.ufunc("equal", {counter(e, samples.size, rank, DType::I64), last});
        line = e.ufunc("where", {isLast, stop, line});
    }
    const DType dtype = dtypeOr(e, in, work);
    if (isInteger(dtype))
        line = e.ufunc("floor", {line});
    if (dtype != work)
        line = e.castTo(line, dtype);
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
