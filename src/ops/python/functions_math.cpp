// Functions of math with a variable number of operands or several results; the others are np.pyop's
// math.*.
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/operators.h"
#include "ops/tables.h"

#include <cmath>

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val real(TypedBuilder &e, const Val &v) {
    checkReal(e, v);
    return toPy(e, v, PyKind::Float);
}

static Val whole(TypedBuilder &e, const Val &v) { return e.sizeVal(toDim(e, v)); }

static Val floatOp(TypedBuilder &e, StringRef name, ArrayRef<Val> operands) {
    return pyop(e, name, operands, PyFloatType::get(e.ctx));
}
static Val intOp(TypedBuilder &e, StringRef name, ArrayRef<Val> operands) {
    return pyop(e, name, operands, PyIntType::get(e.ctx));
}

static std::vector<Val> itemsOf(TypedBuilder &e, const Val &iterable, StringRef function) {
    std::optional<std::vector<Val>> items = itemsOf(e, iterable);
    if (!items)
        e.unsupported(function + "() of " + iterable.describe() +
                      ", whose length is known only at run time, is not supported");
    return *items;
}

static Val commonDivisor(TypedBuilder &e, const Arguments &in) {
    Val result = e.intVal(0);
    for (const Val &v : in["integers"].items)
        result = intOp(e, "math.gcd", {result, whole(e, v)});
    return result;
}

static Val commonMultiple(TypedBuilder &e, const Arguments &in) {
    Val result = e.intVal(1);
    for (const Val &v : in["integers"].items)
        result = intOp(e, "math.lcm", {result, whole(e, v)});
    return result;
}

static Val norm(TypedBuilder &e, ArrayRef<Val> coordinates) {
    Val result = e.floatVal(0);
    for (const auto &[i, v] : llvm::enumerate(coordinates))
        result = i == 0 ? floatOp(e, "math.fabs", {real(e, v)})
                        : floatOp(e, "math.hypot", {result, real(e, v)});
    return result;
}

static Val hypot(TypedBuilder &e, const Arguments &in) { return norm(e, in["coordinates"].items); }

static Val distance(TypedBuilder &e, const Arguments &in) {
    std::vector<Val> p = itemsOf(e, in["p"], "dist"), q = itemsOf(e, in["q"], "dist");
    if (p.size() != q.size())
        e.fail("ValueError", "both points must have the same number of dimensions");
    for (auto [a, b] : llvm::zip(p, q))
        a = binary(e, "sub", real(e, a), real(e, b));
    return norm(e, p);
}

static Val isClose(TypedBuilder &e, const Arguments &in) {
    auto tolerance = [&](StringRef name, double absent) {
        const Val *v = in.find(name);
        return v ? real(e, *v) : e.floatVal(absent);
    };
    Val a = real(e, in["a"]), b = real(e, in["b"]);
    Val relative = tolerance("rel_tol", 1e-9), absolute = tolerance("abs_tol", 0);
    Val zero = e.floatVal(0), infinity = e.floatVal(HUGE_VAL);
    raiseIf(e, logicalOr(e, compare(e, "lt", relative, zero), compare(e, "lt", absolute, zero)),
            "ValueError", "tolerances must be non-negative");
    auto magnitude = [&](const Val &v) { return unary(e, "abs", v); };
    Val difference = magnitude(binary(e, "sub", b, a));
    auto within = [&](const Val &limit) { return compare(e, "le", difference, limit); };
    Val close = logicalOr(e,
                          logicalOr(e, within(magnitude(binary(e, "mul", relative, b))),
                                    within(magnitude(binary(e, "mul", relative, a)))),
                          within(absolute));
    Val finite = logicalAnd(e, compare(e, "ne", magnitude(a), infinity),
                            compare(e, "ne", magnitude(b), infinity));
    return logicalOr(e, compare(e, "eq", a, b), logicalAnd(e, finite, close));
}

static Val mantissaAndExponent(TypedBuilder &e, const Arguments &in) {
    Val x = real(e, in["x"]);
    return e.tupleVal({toPy(e, ufunc(e, "frexp.0", {x}), PyKind::Float),
                       toPy(e, ufunc(e, "frexp.1", {x}), PyKind::Int)});
}

static Val fractionAndWhole(TypedBuilder &e, const Arguments &in) {
    Val x = real(e, in["x"]);
    return e.tupleVal({toPy(e, ufunc(e, "modf.0", {x}), PyKind::Float),
                       toPy(e, ufunc(e, "modf.1", {x}), PyKind::Float)});
}

// The distance to the next number away from zero, or to the previous one where that is infinite.
static Val lastPlace(TypedBuilder &e, const Arguments &in) {
    Val x = unary(e, "abs", real(e, in["x"])), infinity = e.floatVal(HUGE_VAL);
    Val up = floatOp(e, "math.nextafter", {x, infinity});
    Val down = floatOp(e, "math.nextafter", {x, e.floatVal(0)});
    Val gap =
        ufunc(e, "where",
              {compare(e, "eq", up, infinity), binary(e, "sub", x, down), binary(e, "sub", up, x)});
    return toPy(e, ufunc(e, "where", {compare(e, "eq", x, infinity), x, gap}), PyKind::Float);
}

static Val scaled(TypedBuilder &e, const Arguments &in) {
    const Val &exponent = in["i"];
    if (!exponent.isScalar() || !isInteger(e.operandOf(exponent).dtype))
        e.fail("TypeError", "Expected an int as second argument to ldexp.");
    return floatOp(e, "math.ldexp", {real(e, in["x"]), whole(e, exponent)});
}

static Val factorial(TypedBuilder &e, const Arguments &in) {
    return intOp(e, "math.factorial", {whole(e, in["n"])});
}

static Val combinations(TypedBuilder &e, const Arguments &in) {
    return intOp(e, "math.comb", {whole(e, in["n"]), whole(e, in["k"])});
}

static Val permutations(TypedBuilder &e, const Arguments &in) {
    const Val *k = in.find("k");
    if (!k || k->isNone())
        return intOp(e, "math.factorial", {whole(e, in["n"])});
    return intOp(e, "math.perm", {whole(e, in["n"]), whole(e, *k)});
}

ArrayRef<Function> shapecast::mathFunctions() {
    static const Function list[] = {
        {"math.gcd", "*integers", commonDivisor},
        {"math.lcm", "*integers", commonMultiple},
        {"math.hypot", "*coordinates", hypot},
        {"math.dist", "p, q", distance},
        {"math.isclose", "a, b, rel_tol=, abs_tol=", isClose},
        {"math.frexp", "x", mantissaAndExponent},
        {"math.modf", "x", fractionAndWhole},
        {"math.ulp", "x", lastPlace},
        {"math.ldexp", "x, i", scaled},
        {"math.factorial", "n", factorial},
        {"math.comb", "n, k", combinations},
        {"math.perm", "n, k=", permutations},
    };
    return list;
}
