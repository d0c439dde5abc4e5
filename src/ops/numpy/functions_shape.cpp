// NumPy functions on shapes, and element-wise ones that are no simple ufuncs: where, clip, round,
// divmod.
#include "facts/host_info.h"
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/operands.h"
#include "ops/builder/stores.h"
#include "ops/tables.h"
#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val reversed(TypedBuilder &e, const Val &a) {
    SmallVector<int64_t> axes;
    for (int64_t i = a.array().getRank(); i-- > 0;)
        axes.push_back(i);
    return transpose(e, a, axes); // a new object for ranks 0 and 1, too
}

// order="F": as in C order of the transposed array.
static bool isFortranOrder(TypedBuilder &e, const Arguments &in, const Val &a) {
    return orderArgument(e, in, a, "C") == Layout::F && dimsOf(a).size() > 0;
}

static Val reshaped(TypedBuilder &e, const Arguments &in, std::vector<Val> shape) {
    const Val &a = in["a"];
    if (const Val *order = in.find("order");
        order && order->isStatic("str") && order->staticText() == "K")
        e.fail("ValueError", "order 'K' is not permitted for reshaping");
    if (shape.size() == 1 && shape[0].isTuple())
        shape = std::vector<Val>(shape[0].items);
    if (orderArgument(e, in, a, "C") != Layout::F || !a.isArray() || shape.empty())
        return reshape(e, a, shape);
    std::reverse(shape.begin(), shape.end());
    return reversed(e, reshape(e, reversed(e, a), shape));
}

static Val numpyReshape(TypedBuilder &e, const Arguments &in) {
    const Val *copy = in.find("copy");
    if (copy && !copy->isNone())
        e.unsupported("copy= of numpy.reshape is not compiled yet");
    return reshaped(e, in, {in["shape"]});
}
static Val methodReshape(TypedBuilder &e, const Arguments &in) {
    return reshaped(e, in, in["shape"].items);
}

// order='K' is the order in memory, known only for C and Fortran contiguous arrays.
static void checkMemoryOrder(TypedBuilder &e, const Arguments &in, const Val &a) {
    const Val *order = in.find("order");
    if (!a.isArray() || a.array().getRank() < 2 || !order || !order->isStatic("str") ||
        order->staticText() != "K")
        return;
    if (a.array().getLayout() != Layout::C && a.array().getLayout() != Layout::F)
        e.unsupported("order='K' of " + a.describe() +
                      ", whose order in memory is not known at compile time, is not supported");
}

static Val numpyRavel(TypedBuilder &e, const Arguments &in) {
    const Val a = in["a"].isTuple() ? asArray(e, in["a"]) : in["a"];
    checkMemoryOrder(e, in, a);
    return ravel(e, a.isArray() && isFortranOrder(e, in, a) ? reversed(e, a) : a);
}

static Val flatten(TypedBuilder &e, const Arguments &in) { // always a copy
    const Val &a = in["a"];
    checkMemoryOrder(e, in, a);
    if (!a.isArray())
        return reshape(e, a, {e.intVal(-1)});
    return reshape(e, materialize(e, read(e, isFortranOrder(e, in, a) ? reversed(e, a) : a)),
                   {e.intVal(-1)});
}

static Val permuted(TypedBuilder &e, const Val &a, ArrayRef<Val> order) {
    int64_t rank = dimsOf(a).size();
    if (order.empty() || (order.size() == 1 && order[0].isNone()))
        return a.isArray() ? reversed(e, a) : a;
    if (order.size() == 1 && isSequence(order[0]))
        return permuted(e, a, itemsIn(e, order[0], "a tuple of axes"));
    if (int64_t(order.size()) != rank)
        e.fail("ValueError", "axes don't match array");
    SmallVector<int64_t> axes;
    for (const Val &v : order) {
        SmallVector<int64_t> one = axesOf(e, v, rank);
        if (llvm::is_contained(axes, one[0]))
            e.fail("ValueError", "repeated axis in transpose");
        axes.push_back(one[0]);
    }
    return transpose(e, a, axes);
}

static Val numpyTranspose(TypedBuilder &e, const Arguments &in) {
    const Val *axes = in.find("axes");
    return axes ? permuted(e, in["a"], {*axes}) : permuted(e, in["a"], {});
}
static Val methodTranspose(TypedBuilder &e, const Arguments &in) {
    return permuted(e, in["a"], in["axes"].items);
}

static Val where(TypedBuilder &e, const Arguments &in) {
    Val condition = in["condition"];
    if (!in.find("x") && !in.find("y"))
        return callFunction(e, *findFunction("numpy.nonzero"), {condition}, {});
    if (!in.find("x") || !in.find("y"))
        e.fail("ValueError", "either both or neither of x and y should be given");
    if (!isBool(e.operandOf(condition).dtype))
        condition = castTo(e, condition, DType::Bool);
    if (hostInfo().whereChecksIntegers) {
        const DType dtype = resultType({e.operandOf(in["x"]), e.operandOf(in["y"])});
        checkWeakBounds(e, *findUfunc("positive"), Loop{{dtype, dtype}, dtype}, {in["x"], in["y"]});
    }
    Val result = ufunc(e, "where", {condition, in["x"], in["y"]});
    if (result.isArray())
        return result;
    return callFunction(e, *findFunction("numpy.array"), {result},
                        {}); // no ufunc in NumPy: a 0-d array, not a scalar
}

// The minimum and maximum of an integer dtype, saturated to int64.
static std::pair<int64_t, int64_t> integersOf(DType dtype) {
    int bits = int(itemSize(dtype)) * 8 - isSigned(dtype);
    if (bits >= 63)
        return {isSigned(dtype) ? INT64_MIN : 0, INT64_MAX};
    return {isSigned(dtype) ? -(int64_t(1) << bits) : 0, (int64_t(1) << bits) - 1};
}

// Whether the bound can have an effect: NumPy drops a Python int that all values of the dtype
// satisfy instead of raising OverflowError.
static bool binds(const Val *bound, DType dtype, bool upper) {
    if (!bound || bound->isNone())
        return false;
    std::optional<int64_t> value = bound->constInt();
    if (!value || !isInteger(dtype) || !bound->isPyInt())
        return true;
    auto [min, max] = integersOf(dtype);
    return upper ? dtype == DType::U64 || *value < max : *value > min;
}

// The same for a bound known only at run time: clamped to the dtype's limits.
static Val clipBound(TypedBuilder &e, const Val &bound, DType dtype, bool upper) {
    if (!bound.isPyInt() || !isInteger(dtype))
        return bound;
    auto [min, max] = integersOf(dtype);
    return e.sizeVal(upper ? dimMin(bound.dim, e.dimConst(max))
                           : dimMax(bound.dim, e.dimConst(min)));
}

// a_min and a_max, or min and max (the method's names).
static std::pair<const Val *, const Val *> bounds(TypedBuilder &e, const Arguments &in) {
    const Val *low = in.find("a_min"), *high = in.find("a_max"), *min = in.find("min"),
              *max = in.find("max");
    if (!low && !high)
        return {min, max};
    if (!high)
        e.fail("TypeError", "clip() missing 1 required positional argument: 'a_max'");
    if (!low)
        e.fail("TypeError", "clip() missing 1 required positional argument: 'a_min'");
    if (min || max)
        e.fail("ValueError", "Passing `min` or `max` keyword argument when `a_min` and `a_max` "
                             "are provided is forbidden.");
    return {low, high};
}

static Val clip(TypedBuilder &e, const Arguments &in) {
    const auto [low, high] = bounds(e, in);
    DType dtype = e.operandOf(in["a"]).dtype;
    SmallVector<Val> operands = {in["a"]};
    bool hasLow = binds(low, dtype, false), hasHigh = binds(high, dtype, true);
    if (hasLow)
        operands.push_back(clipBound(e, *low, dtype, false));
    if (hasHigh)
        operands.push_back(clipBound(e, *high, dtype, true));
    return ufunc(e,
                 hasLow && hasHigh ? "clip"
                 : hasLow          ? "maximum"
                 : hasHigh         ? "minimum"
                                   : "positive",
                 operands);
}

// Integers with decimals >= 0 are unchanged.
static Val roundedWhole(TypedBuilder &e, const Val &a, const Val *out) {
    if (!out)
        return ufunc(e, "positive", {a});
    checkCast(e, e.operandOf(a).dtype, e.operandOf(*out).dtype, Casting::SameKind);
    assign(e, *out, castTo(e, a, e.operandOf(*out).dtype));
    return *out;
}

static Val round(TypedBuilder &e, const Arguments &in) {
    const Val *decimals = in.find("decimals");
    std::optional<int64_t> digits = decimals ? decimals->constInt() : 0;
    if (!digits)
        needConstant(e, *decimals, "the decimals of np.round must be a constant");
    const Val &a = in["a"];
    const DType dtype = e.operandOf(a).dtype;
    const Val *out = in.find("out");
    if (out && out->isNone())
        out = nullptr;
    if (out) // NumPy broadcasts other shapes or raises
        e.requireEqual(dimProduct(e.ctx, dimsOf(asArray(e, a))), dimProduct(e.ctx, dimsOf(*out)),
                       "ValueError", "invalid output shape");
    if (isInteger(dtype) && *digits >= 0)
        return roundedWhole(e, a, out);
    auto stored = [&](StringRef ufunc, ArrayRef<Val> operands) {
        const Val result = shapecast::ufunc(e, ufunc, operands);
        return out ? storeOut(e, ufunc, *out, result) : result;
    };
    if (*digits == 0)
        return stored("rint", {a});
    if (isBool(dtype) || isComplex(dtype) || dtype == DType::F16 || std::abs(*digits) > 15)
        e.unsupported("np.round with these decimals of " + a.describe() + " is not compiled yet");
    double unit = 1; // as NumPy: scaled, rounded and scaled back, all in `out`
    for (int64_t i = 0; i < std::abs(*digits); ++i)
        unit *= 10;
    const bool up = *digits > 0;
    const Val scaled = stored(up ? "multiply" : "divide", {a, e.floatVal(unit)});
    const Val rounded =
        stored(up ? "divide" : "multiply", {stored("rint", {scaled}), e.floatVal(unit)});
    return isInteger(dtype) && !out ? castTo(e, rounded, dtype) : rounded;
}

// Ufuncs with two results, each a row of the ufunc table. Outputs are the last two positional
// arguments or a tuple out=.
static Val twoResults(TypedBuilder &e, const Arguments &in, StringRef name,
                      ArrayRef<Val> operands) {
    std::vector<Val> results{ufunc(e, (name + ".0").str(), operands),
                             ufunc(e, (name + ".1").str(), operands)};
    const Val *outs[] = {in.find("out1"), in.find("out2")};
    if (const Val *both = in.find("out"); both && !both->isNone()) {
        if (!both->isTuple())
            e.fail("TypeError", "'out' must be a tuple of arrays");
        if (both->items.size() != 2)
            e.fail("ValueError", "The 'out' tuple must have exactly one entry per ufunc output");
        outs[0] = &both->items[0];
        outs[1] = &both->items[1];
    }
    for (auto [result, out] : llvm::zip_equal(results, outs))
        if (out && !out->isNone())
            result = storeOut(e, name, *out, result);
    return e.tupleVal(std::move(results));
}

static Val divmod(TypedBuilder &e, const Arguments &in) {
    return twoResults(e, in, "divmod", {in["x1"], in["x2"]});
}
static Val modf(TypedBuilder &e, const Arguments &in) {
    return twoResults(e, in, "modf", {in["x"]});
}
static Val frexp(TypedBuilder &e, const Arguments &in) {
    return twoResults(e, in, "frexp", {in["x"]});
}

ArrayRef<Function> shapecast::shapeFunctions() {
    static const Function list[] = {
        {"numpy.reshape", "a, shape, order=, *, copy=", numpyReshape},
        {"ndarray.reshape", "a, *shape, order=", methodReshape, true},
        {"numpy.ravel", "a, order=", numpyRavel, true},
        {"ndarray.flatten", "a, order=", flatten, true},
        {"numpy.transpose", "a, axes=", numpyTranspose},
        {"ndarray.transpose", "a, *axes", methodTranspose, true},
        {"numpy.where", "condition, x=, y=", where},
        {"numpy.clip", "a, a_min=, a_max=, out=, *, min=, max=", clip},
        {"ndarray.clip", "a, min=, max=, out=", clip, true},
        {"numpy.round", "a, decimals=, out=", round, true},
        {"numpy.divmod", "x1, x2, out1=, out2=, *, out=", divmod},
        {"numpy.modf", "x, out1=, out2=, *, out=", modf},
        {"numpy.frexp", "x, out1=, out2=, *, out=", frexp},
        {"numpy.around", "a, decimals=, out=", round},
    };
    return list;
}
