// Reductions of NumPy: sum prod min max mean any all, with axis (int, tuple, None) and keepdims.
#include "ops/functions.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static ReductionRequest request(TypedBuilder &e, const Arguments &in, bool ofUfunc) {
    ReductionRequest r;
    r.a = in["a"].isTuple() ? asArray(e, in["a"]) : in["a"];
    r.dims = e.dimsOf(r.a);
    const Val *axis = in.find("axis"), *keepdims = in.find("keepdims"), *dtype = in.find("dtype");
    const std::optional<int64_t> only = axis ? axis->constInt() : std::nullopt;
    if (ofUfunc && r.dims.empty() && (only == 0 || only == -1))
        axis = nullptr;
    r.axes = e.axesOf(axis ? *axis : e.noneVal(), r.dims.size());
    std::optional<bool> keep = keepdims ? keepdims->constBool() : false;
    if (!keep)
        e.needConstant(*keepdims, "keepdims must be a constant (it decides the result's rank)");
    r.keepdims = *keep;
    if (dtype && !dtype->isNone())
        r.dtype = e.dtypeOf(*dtype);
    return r;
}

ReductionRequest shapecast::reductionRequest(TypedBuilder &e, const Arguments &in) {
    return request(e, in, /*ofUfunc=*/false);
}

// The reduction of a ufunc lets what has no axes have axis 0 and -1.
static ReductionRequest ufuncReduction(TypedBuilder &e, const Arguments &in) {
    return request(e, in, /*ofUfunc=*/true);
}

// Accumulates in `work`, gives `out` (float16 sums are computed in float32).
static Val accumulate(TypedBuilder &e, const ReductionRequest &r, StringRef combine, DType out) {
    DType work = out == DType::F16 ? DType::F32 : out;
    Val total = e.reduce(combine, e.castValue(e.read(r.a), work), r.axes, r.keepdims);
    return work == out ? total : e.castTo(total, out);
}

// sum and prod: bool and small integers accumulate in int64 / uint64.
static DType sumDType(DType d) {
    return isBool(d) || isSigned(d) ? DType::I64 : isUnsigned(d) ? DType::U64 : d;
}

static Val sum(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = ufuncReduction(e, in);
    return accumulate(e, r, "add", r.dtype.value_or(sumDType(e.operandOf(r.a).dtype)));
}

static Val prod(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = ufuncReduction(e, in);
    return accumulate(e, r, "multiply", r.dtype.value_or(sumDType(e.operandOf(r.a).dtype)));
}

static Val mean(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = reductionRequest(e, in);
    DType from = e.operandOf(r.a).dtype;
    DType out = r.dtype.value_or(isFloat(from) || isComplex(from) ? from : DType::F64);
    DType work = out == DType::F16 ? DType::F32 : out;
    DimAttr count = e.dimConst(1);
    Dims dims = e.dimsOf(r.a);
    for (int64_t axis : r.axes)
        count = dimMul(count, dims[axis]);
    Val total = e.reduce("add", e.castValue(e.read(r.a), work), r.axes, r.keepdims);
    Val result =
        e.ufunc("divide",
                {total, e.castTo(e.sizeVal(count), isComplex(work) ? realPart(work) : work)}, work);
    return out == work ? result : e.castTo(result, out);
}

static Val extreme(TypedBuilder &e, const Arguments &in, StringRef combine) {
    ReductionRequest r = ufuncReduction(e, in);
    Dims dims = e.dimsOf(r.a);
    for (int64_t axis : r.axes)
        if (!e.assumeGreaterEqual(dims[axis], e.dimConst(1)))
            e.require("ge", {dims[axis], e.dimConst(1)}, "ValueError",
                      "zero-size array to reduction operation " + combine +
                          " which has no identity");
    return e.reduce(combine, e.read(r.a), r.axes, r.keepdims);
}

static Val minimum(TypedBuilder &e, const Arguments &in) { return extreme(e, in, "minimum"); }
static Val maximum(TypedBuilder &e, const Arguments &in) { return extreme(e, in, "maximum"); }

static Val any(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = ufuncReduction(e, in);
    return e.reduce("logical_or", e.castValue(e.read(r.a), DType::Bool), r.axes, r.keepdims);
}

static Val all(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = ufuncReduction(e, in);
    return e.reduce("logical_and", e.castValue(e.read(r.a), DType::Bool), r.axes, r.keepdims);
}

ArrayRef<Function> shapecast::reduceFunctions() {
    static const Function list[] = {
        {"numpy.sum", "a, axis=, dtype=, out=, keepdims=", sum, true},
        {"numpy.prod", "a, axis=, dtype=, out=, keepdims=", prod, true},
        {"numpy.mean", "a, axis=, dtype=, out=, keepdims=", mean, true},
        {"numpy.min", "a, axis=, out=, keepdims=", minimum, true},
        {"numpy.max", "a, axis=, out=, keepdims=", maximum, true},
        {"numpy.amin", "a, axis=, out=, keepdims=", minimum},
        {"numpy.amax", "a, axis=, out=, keepdims=", maximum},
        {"numpy.any", "a, axis=, out=, keepdims=", any, true},
        {"numpy.all", "a, axis=, out=, keepdims=", all, true},
    };
    return list;
}
