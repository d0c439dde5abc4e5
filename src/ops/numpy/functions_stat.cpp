// NumPy functions that summarise or compare arrays: var, std, argmax, count_nonzero, allclose ...
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/builder/reductions.h"
#include "ops/builder/stores.h"
#include "ops/numpy/reduction_request.h"
#include "ops/tables.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Variance

// np.add.reduce.
static Val total(TypedBuilder &e, const ReductionRequest &r, Value value, DType dtype,
                 bool keepdims) {
    DType work = accumulatedIn(r, dtype);
    Val sum = reduce(e, "add", castValue(e, value, work), r.axes, keepdims);
    return work == dtype ? sum : castTo(e, sum, dtype);
}

// Division by a count, in double precision, rounded to the sum's dtype.
static Val dividedBy(TypedBuilder &e, const Val &sum, const Val &count) {
    DType dtype = e.operandOf(sum).dtype;
    Val quotient = ufunc(e, "divide", {sum, castTo(e, count, DType::F64)});
    return castTo(e, quotient, dtype);
}

static Val meanOf(TypedBuilder &e, const Arguments &in, const ReductionRequest &r) {
    DType from = e.operandOf(r.a).dtype;
    DType dtype = r.dtype.value_or(isInteger(from) || isBool(from) ? DType::F64 : from);
    bool whole = r.axes.size() == r.dims.size(); // then a scalar broadcasts, too
    const Val items = applyWhere(e, r, r.a, e.intVal(0));
    return dividedBy(e, total(e, r, read(e, items), dtype, !whole),
                     reductionCount(e, in, r, !whole));
}

// |a - mean| squared, real where a is complex.
static Val deviations(TypedBuilder &e, const Val &a, const Val &mean) {
    DType from = e.operandOf(a).dtype;
    Val x = ufunc(e, "subtract", {a, mean});
    if (isComplex(from))
        return ufunc(e, "add",
                     {ufunc(e, "square", {ufunc(e, "real", {x})}),
                      ufunc(e, "square", {ufunc(e, "imag", {x})})});
    if (!isBool(from))
        return ufunc(e, "square", {x});
    Val product = ufunc(e, "multiply", {x, ufunc(e, "conjugate", {x})});
    return isComplex(e.operandOf(product).dtype) ? ufunc(e, "real", {product}) : product;
}

// max(count - ddof, 0)
static Val degrees(TypedBuilder &e, const Arguments &in, const Val &count) {
    const Val *ddof = in.find("ddof"), *correction = in.find("correction");
    if (correction && ddof && ddof->constInt() != 0)
        e.fail("ValueError", "ddof and correction can't be provided simultaneously.");
    const Val *less = correction ? correction : ddof;
    if (!less || less->constInt() == 0)
        return count;
    Val left = binary(e, "sub", count, *less);
    return ufunc(e, "maximum", {left, e.intVal(0)});
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
    if (dimsOf(x).size() != r.dims.size())
        e.unsupported("a mean= of more dimensions than the array is not supported");
    const Val squares = applyWhere(e, r, x, e.intVal(0));
    return dividedBy(e, total(e, r, read(e, squares), dtype, r.keepdims),
                     degrees(e, in, reductionCount(e, in, r, r.keepdims)));
}

static Val deviation(TypedBuilder &e, const Arguments &in) {
    Val variance = var(e, in);
    DType dtype = e.operandOf(variance).dtype;
    Val root = ufunc(e, "sqrt", {variance});
    if (isInteger(dtype) && root.isArray())
        e.fail("TypeError", "Cannot cast ufunc 'sqrt' output from dtype('float64') to dtype('" +
                                dtypeName(dtype) + "') with casting rule 'same_kind'");
    return castTo(e, root, dtype);
}

static Val countNonzero(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = reductionRequest(e, in);
    Value truth = castValue(e, read(e, r.a), DType::Bool);
    return reduce(e, "add", castValue(e, truth, DType::I64), r.axes, r.keepdims);
}

static Val ptp(TypedBuilder &e, const Arguments &in) {
    ReductionRequest r = reductionRequest(e, in);
    for (int64_t axis : r.axes)
        if (!e.assumeGreaterEqual(r.dims[axis], e.dimConst(1)))
            e.require("ge", {r.dims[axis], e.dimConst(1)}, "ValueError",
                      "zero-size array to reduction operation maximum which has no identity");
    Value values = read(e, r.a);
    return ufunc(e, "subtract",
                 {reduce(e, "maximum", values, r.axes, r.keepdims),
                  reduce(e, "minimum", values, r.axes, r.keepdims)});
}

//===-- argmin and argmax

// The first index of the minimum or maximum: where elements equal it, or are NaN (so is it then).
static Val firstOf(TypedBuilder &e, const Val &a, int64_t axis, StringRef combine, bool keepdims) {
    Dims dims = dimsOf(a);
    // The same reduction as np.min or np.max of it, so that CSE can merge the two.
    Val extreme = reduce(e, combine, read(e, a), {axis}, false);
    if (dims.size() > 1)
        extreme =
            callFunction(e, *findFunction("numpy.expand_dims"), {extreme, e.intVal(axis)}, {});
    Val hit = ufunc(e, "equal", {a, extreme});
    if (DType dtype = e.operandOf(a).dtype; isFloat(dtype) || isComplex(dtype))
        hit = ufunc(e, "logical_or", {hit, ufunc(e, "not_equal", {a, a})});
    Type index = scalarType(e.ctx, DType::I64);
    Val indices = materialize(e, IotaOp::create(e.b, e.loc, dims, index, axis, e.device));
    Val beyond = castTo(e, e.sizeVal(dims[axis]), DType::I64);
    return reduce(e, "minimum", read(e, ufunc(e, "where", {hit, indices, beyond})), {axis},
                  keepdims);
}

static Val argExtreme(TypedBuilder &e, const Arguments &in, StringRef name, StringRef combine) {
    Val a = asArray(e, in["a"]);
    Dims given = dimsOf(a);
    bool keepdims = flagArgument(e, in, "keepdims", false);
    const Val *axisGiven = in.find("axis");
    bool flat = !axisGiven || axisGiven->isNone();
    if (given.empty() || (flat && given.size() > 1))
        a = ravel(e, a);
    int64_t axis = flat ? 0 : axisArgument(e, *axisGiven, dimsOf(a).size());
    Dims dims = dimsOf(a);
    if (!e.assumeGreaterEqual(dims[axis], e.dimConst(1)))
        e.require("ge", {dims[axis], e.dimConst(1)}, "ValueError",
                  "attempt to get " + name + " of an empty sequence");
    bool keep = keepdims && !flat && !given.empty();
    // Along the contiguous axis in one pass, along others in two, row by row.
    bool isContiguous =
        axis == int64_t(dims.size()) - 1 || (axis == 0 && a.array().getLayout() == Layout::F);
    Val result = isContiguous ? reduce(e, name, read(e, a), {axis}, keep)
                              : firstOf(e, a, axis, combine, keep);
    if (!keepdims || !flat || given.empty())
        return result;
    Val fresh = alloc(e, Dims(given.size(), e.dimConst(1)), DType::I64);
    assign(e, fresh, result);
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
        y = castTo(e, y, resultType({type, {DType::F64, PyKind::Float}}));
    else if (type.weak == PyKind::Int || type.weak == PyKind::Bool)
        y = toPy(e, y, PyKind::Float);
    auto tolerance = [&](StringRef name, double absent) {
        const Val *given = in.find(name);
        return given ? *given : e.floatVal(absent);
    };
    Val bound = binary(e, "add", tolerance("atol", 1e-8),
                       binary(e, "mul", tolerance("rtol", 1e-5), unary(e, "abs", y)));
    Val near = ufunc(e, "less_equal", {unary(e, "abs", binary(e, "sub", x, y)), bound});
    Val result = ufunc(
        e, "logical_or",
        {ufunc(e, "logical_and", {near, ufunc(e, "isfinite", {y})}), ufunc(e, "equal", {x, y})});
    if (flagArgument(e, in, "equal_nan", false))
        result = ufunc(
            e, "logical_or",
            {result, ufunc(e, "logical_and", {ufunc(e, "isnan", {x}), ufunc(e, "isnan", {y})})});
    return result;
}

static Val allTrue(TypedBuilder &e, const Val &flags) {
    SmallVector<int64_t> axes = axesOf(e, e.noneVal(), dimsOf(flags).size());
    return toPy(e, reduce(e, "logical_and", read(e, flags), axes, false), PyKind::Bool);
}

static Val allclose(TypedBuilder &e, const Arguments &in) { return allTrue(e, isclose(e, in)); }

static Val arrayEqual(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a1"]), c = asArray(e, in["a2"]);
    Dims left = dimsOf(a), right = dimsOf(c);
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
    Val result = ufunc(e, "equal", {a, c});
    auto mayBeNan = [&](const Val &v) { return !isInteger(e.operandOf(v).dtype); };
    if (flagArgument(e, in, "equal_nan", false) && mayBeNan(a) && mayBeNan(c))
        result = ufunc(
            e, "logical_or",
            {result, ufunc(e, "logical_and", {ufunc(e, "isnan", {a}), ufunc(e, "isnan", {c})})});
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
