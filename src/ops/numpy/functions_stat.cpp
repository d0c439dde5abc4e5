// NumPy functions that summarise or compare arrays: var, std, argmax, count_nonzero, allclose ...
#include "ops/numpy/functions.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Variance

// np.add.reduce.
static Val total(TypedBuilder &e, const ReductionRequest &r, Value value, DType dtype,
                 bool keepdims) {
    DType work = accumulatedIn(r, dtype);
    Val sum = e.reduce("add", e.castValue(value, work), r.axes, keepdims);
    return work == dtype ? sum : e.castTo(sum, dtype);
}

// Division by a count, in double precision, rounded to the sum's dtype.
static Val dividedBy(TypedBuilder &e, const Val &sum, const Val &count) {
    DType dtype = e.operandOf(sum).dtype;
    Val quotient = e.ufunc("divide", {sum, e.castTo(count, DType::F64)});
    return e.castTo(quotient, dtype);
}

static Val meanOf(TypedBuilder &e, const Arguments &in, const ReductionRequest &r) {
    DType from = e.operandOf(r.a).dtype;
    DType dtype = r.dtype.value_or(isInteger(from) || isBool(from) ? DType::F64 : from);
    bool whole = r.axes.size() == r.dims.size(); // then a scalar broadcasts, too
    const Val items = applyWhere(e, r, r.a, e.intVal(0));
    return dividedBy(e, total(e, r, e.read(items), dtype, !whole),
                     reductionCount(e, in, r, !whole));
}

// |a - mean| squared, real where a is complex.
static Val deviations(TypedBuilder &e, const Val &a, const Val &mean) {
    DType from = e.operandOf(a).dtype;
    Val x = e.ufunc("subtract", {a, mean});
    if (isComplex(from))
        return e.ufunc("add", {e.ufunc("square", {e.ufunc("real", {x})}),
                               e.ufunc("square", {e.ufunc("imag", {x})})});
    if (!isBool(from))
        return e.ufunc("square", {x});
    Val product = e.ufunc("multiply", {x, e.ufunc("conjugate", {x})});
    return isComplex(e.operandOf(product).dtype) ? e.ufunc("real", {product}) : product;
}

// max(count - ddof, 0)
static Val degrees(TypedBuilder &e, const Arguments &in, const Val &count) {
    const Val *ddof = in.find("ddof"), *correction = in.find("correction");
    if (correction && ddof && ddof->constInt() != 0)
        e.fail("ValueError", "ddof and correction can't be provided simultaneously.");
    const Val *less = correction ? correction : ddof;
    if (!less || less->constInt() == 0)
        return count;
    Val left = e.binary("sub", count, *less);
    return e.ufunc("maximum", {left, e.intVal(0)});
}

static Val var(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = reductionRequest(e, in);
    if (const Val *wanted = in.find("dtype"); !wanted || wanted->isNone())
        r.dtype = std::nullopt; // that of out= does not count
    const Val *given = in.find("mean");
    Val mean = given && !given->isNone() ? *given : meanOf(e, in, r);
    Val x = deviations(e, r.a, mean);
    DType from = e.operandOf(r.a).dtype;
    DType dtype =
        r.dtype.value_or(isInteger(from) || isBool(from) ? DType::F64 : e.operandOf(x).dtype);
    if (e.dimsOf(x).size() != r.dims.size())
        e.unsupported("a mean= of more dimensions than the array is not supported");
    const Val squares = applyWhere(e, r, x, e.intVal(0));
    return dividedBy(e, total(e, r, e.read(squares), dtype, r.keepdims),
                     degrees(e, in, reductionCount(e, in, r, r.keepdims)));
}

static Val deviation(TypedBuilder &e, const Arguments &in) {
    Val variance = var(e, in);
    DType dtype = e.operandOf(variance).dtype;
    Val root = e.ufunc("sqrt", {variance});
    if (isInteger(dtype) && root.isArray())
        e.fail("TypeError", "Cannot cast ufunc 'sqrt' output from dtype('float64') to dtype('" +
                                dtypeName(dtype) + "') with casting rule 'same_kind'");
    return e.castTo(root, dtype);
}

static Val countNonzero(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = reductionRequest(e, in);
    Value truth = e.castValue(e.read(r.a), DType::Bool);
    return e.reduce("add", e.castValue(truth, DType::I64), r.axes, r.keepdims);
}

static Val ptp(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = reductionRequest(e, in);
    for (int64_t axis : r.axes)
        if (!e.assumeGreaterEqual(r.dims[axis], e.dimConst(1)))
            e.require("ge", {r.dims[axis], e.dimConst(1)}, "ValueError",
                      "zero-size array to reduction operation maximum which has no identity");
    Value values = e.read(r.a);
    return e.ufunc("subtract", {e.reduce("maximum", values, r.axes, r.keepdims),
                                e.reduce("minimum", values, r.axes, r.keepdims)});
}

//===-- argmin and argmax

// The first index of the minimum or maximum: where elements equal it, or are NaN (so is it then).
static Val firstOf(TypedBuilder &e, const Val &a, int64_t axis, StringRef combine, bool keepdims) {
    Dims dims = e.dimsOf(a);
    // The same reduction as np.min or np.max of it, so that CSE can merge the two.
    Val extreme = e.reduce(combine, e.read(a), {axis}, false);
    if (dims.size() > 1)
        extreme =
            callFunction(e, *findFunction("numpy.expand_dims"), {extreme, e.intVal(axis)}, {});
    Val hit = e.ufunc("equal", {a, extreme});
    if (DType dtype = e.operandOf(a).dtype; isFloat(dtype) || isComplex(dtype))
        hit = e.ufunc("logical_or", {hit, e.ufunc("not_equal", {a, a})});
    Type index = scalarType(e.ctx, DType::I64);
    Val indices = e.materialize(IotaOp::create(e.b, e.loc, dims, index, axis, e.device));
    Val beyond = e.castTo(e.sizeVal(dims[axis]), DType::I64);
    return e.reduce("minimum", e.read(e.ufunc("where", {hit, indices, beyond})), {axis}, keepdims);
}

static Val argExtreme(TypedBuilder &e, const Arguments &in, StringRef name, StringRef combine) {
    Val a = asArray(e, in["a"]);
    Dims given = e.dimsOf(a);
    bool keepdims = flagArgument(e, in, "keepdims", false);
    const Val *axisGiven = in.find("axis");
    bool flat = !axisGiven || axisGiven->isNone();
    if (given.empty() || (flat && given.size() > 1))
        a = e.ravel(a);
    int64_t axis = flat ? 0 : axisArgument(e, *axisGiven, e.dimsOf(a).size());
    Dims dims = e.dimsOf(a);
    if (!e.assumeGreaterEqual(dims[axis], e.dimConst(1)))
        e.require("ge", {dims[axis], e.dimConst(1)}, "ValueError",
                  "attempt to get " + name + " of an empty sequence");
    bool keep = keepdims && !flat && !given.empty();
    // Along the contiguous axis in one pass, along others in two, row by row.
    bool isContiguous =
        axis == int64_t(dims.size()) - 1 || (axis == 0 && a.array().getLayout() == Layout::F);
    Val result =
        isContiguous ? e.reduce(name, e.read(a), {axis}, keep) : firstOf(e, a, axis, combine, keep);
    if (!keepdims || !flat || given.empty())
        return result;
    Val fresh = e.alloc(Dims(given.size(), e.dimConst(1)), DType::I64);
    e.assign(fresh, result);
    return fresh;
}

static Val argmax(TypedBuilder &e, const Arguments &in) {
    return argExtreme(e, in, "argmax", "maximum");
}
static Val argmin(TypedBuilder &e, const Arguments &in) {
    return argExtreme(e, in, "argmin", "minimum");
}

//===-- Comparisons

static Val isclose(TypedBuilder &e, const Arguments &in) {
    Val x = in["a"].isTuple() ? asArray(e, in["a"]) : in["a"];
    Val y = in["b"].isTuple() ? asArray(e, in["b"]) : in["b"];
    OperandType type = e.operandOf(y);
    if (type.weak == PyKind::Strong) // inexact, so that |y| does not overflow
        y = e.castTo(y, resultType({type, {DType::F64, PyKind::Float}}));
    else if (type.weak == PyKind::Int || type.weak == PyKind::Bool)
        y = e.toPy(y, PyKind::Float);
    auto tolerance = [&](StringRef name, double absent) {
        const Val *given = in.find(name);
        return given ? *given : e.floatVal(absent);
    };
    Val bound = e.binary("add", tolerance("atol", 1e-8),
                         e.binary("mul", tolerance("rtol", 1e-5), e.unary("abs", y)));
    Val near = e.ufunc("less_equal", {e.unary("abs", e.binary("sub", x, y)), bound});
    Val result = e.ufunc("logical_or", {e.ufunc("logical_and", {near, e.ufunc("isfinite", {y})}),
                                        e.ufunc("equal", {x, y})});
    if (flagArgument(e, in, "equal_nan", false))
        result = e.ufunc("logical_or", {result, e.ufunc("logical_and", {e.ufunc("isnan", {x}),
                                                                        e.ufunc("isnan", {y})})});
    return result;
}

static Val allTrue(TypedBuilder &e, const Val &flags) {
    SmallVector<int64_t> axes = e.axesOf(e.noneVal(), e.dimsOf(flags).size());
    return e.toPy(e.reduce("logical_and", e.read(flags), axes, false), PyKind::Bool);
}

static Val allclose(TypedBuilder &e, const Arguments &in) { return allTrue(e, isclose(e, in)); }

static Val arrayEqual(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a1"]), c = asArray(e, in["a2"]);
    Dims left = e.dimsOf(a), right = e.dimsOf(c);
    if (left.size() != right.size())
        return e.boolVal(false);
    for (auto [n, m] : llvm::zip_equal(left, right)) {
        std::optional<bool> same = e.decideEqual(n, m);
        if (!same)
            e.unsupported("np.array_equal of arrays whose sizes are known only at run time is not "
                          "supported");
        if (!*same)
            return e.boolVal(false);
    }
    Val result = e.ufunc("equal", {a, c});
    auto mayBeNan = [&](const Val &v) { return !isInteger(e.operandOf(v).dtype); };
    if (flagArgument(e, in, "equal_nan", false) && mayBeNan(a) && mayBeNan(c))
        result = e.ufunc("logical_or", {result, e.ufunc("logical_and", {e.ufunc("isnan", {a}),
                                                                        e.ufunc("isnan", {c})})});
    return allTrue(e, result);
}

ArrayRef<Function> shapecast::statFunctions() {
    static const Function list[] = {
        {"numpy.var",
         "a, axis=, dtype=, out=, ddof=, keepdims=, *, where=, mean=, correction=", var, true},
        {"numpy.std", "a, axis=, dtype=, out=, ddof=, keepdims=, *, where=, mean=, correction=",
         deviation, true},
        {"numpy.ptp", "a, axis=, out=, keepdims=", ptp},
        {"numpy.count_nonzero", "a, axis=, keepdims=", countNonzero},
        {"numpy.argmax", "a, axis=, out=, keepdims=", argmax, true},
        {"numpy.argmin", "a, axis=, out=, keepdims=", argmin, true},
        {"numpy.isclose", "a, b, rtol=, atol=, equal_nan=", isclose},
        {"numpy.allclose", "a, b, rtol=, atol=, equal_nan=", allclose},
        {"numpy.array_equal", "a1, a2, equal_nan=", arrayEqual},
    };
    return list;
}
