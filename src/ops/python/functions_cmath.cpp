// Python's cmath on scalars: NumPy's complex functions with cmath's exceptions.
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/operators.h"
#include "ops/numpy/functions_attributes.h"
#include "ops/tables.h"

#include <cmath>

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

struct Number { // a complex argument and its real and imaginary parts, Python floats
    Val z, re, im;
};

} // namespace

static Number number(TypedBuilder &e, const Val &given) {
    if (!given.isTyped())
        e.fail("TypeError", "must be real number, not " + given.className());
    Val z = toPy(e, given, PyKind::Complex);
    return {z, attribute(e, z, "real"), attribute(e, z, "imag")};
}

static Val isInfinite(TypedBuilder &e, const Val &x) {
    return compare(e, "eq", unary(e, "abs", x), e.floatVal(HUGE_VAL));
}
static Val isNan(TypedBuilder &e, const Val &x) { return compare(e, "ne", x, x); }
static Val isFinite(TypedBuilder &e, const Val &x) {
    return compare(e, "lt", unary(e, "abs", x), e.floatVal(HUGE_VAL));
}
static Val isFinite(TypedBuilder &e, const Number &n) {
    return logicalAnd(e, isFinite(e, n.re), isFinite(e, n.im));
}

static void domain(TypedBuilder &e, const Val &condition) {
    raiseIf(e, condition, "ValueError", "math domain error");
}

static Val computed(TypedBuilder &e, StringRef name, const Number &n) {
    return toPy(e, ufunc(e, name, {n.z}), PyKind::Complex);
}

// OverflowError for infinite or NaN parts from finite ones.
static Val checked(TypedBuilder &e, StringRef name, const Number &n) {
    Val result = computed(e, name, n);
    Number parts = number(e, result);
    raiseIf(e, logicalAnd(e, isFinite(e, n), unary(e, "not", isFinite(e, parts))), "OverflowError",
            "math range error");
    return result;
}

static Val exponential(TypedBuilder &e, const Arguments &in) {
    Number n = number(e, in["z"]);
    Val low = compare(e, "eq", n.re, e.floatVal(-HUGE_VAL));
    domain(e,
           logicalAnd(e, isInfinite(e, n.im), unary(e, "not", logicalOr(e, low, isNan(e, n.re)))));
    return checked(e, "exp", n);
}

// cosh and sinh; cos and sin are the same functions of z rotated by 90 degrees.
template <const char *name, bool rotated>
static Val periodic(TypedBuilder &e, const Arguments &in) {
    Number n = number(e, in["z"]);
    const Val &angle = rotated ? n.re : n.im, &growth = rotated ? n.im : n.re;
    domain(e, logicalAnd(e, isInfinite(e, angle), unary(e, "not", isNan(e, growth))));
    return checked(e, name, n);
}

template <const char *name, bool rotated> static Val tangent(TypedBuilder &e, const Arguments &in) {
    Number n = number(e, in["z"]);
    domain(e,
           logicalAnd(e, isInfinite(e, rotated ? n.re : n.im), isFinite(e, rotated ? n.im : n.re)));
    return computed(e, name, n);
}

template <const char *name> static Val plain(TypedBuilder &e, const Arguments &in) {
    return computed(e, name, number(e, in["z"]));
}

static Val equals(TypedBuilder &e, const Number &n, double re, double im) {
    return logicalAnd(e, compare(e, "eq", n.re, e.floatVal(re)),
                      compare(e, "eq", n.im, e.floatVal(im)));
}

// atan has its poles at i and -i, atanh at 1 and -1.
template <const char *name, bool imaginary>
static Val withPoles(TypedBuilder &e, const Arguments &in) {
    Number n = number(e, in["z"]);
    const double re = imaginary ? 0 : 1, im = imaginary ? 1 : 0;
    domain(e, logicalOr(e, equals(e, n, re, im), equals(e, n, -re, -im)));
    return computed(e, name, n);
}

static Val logarithmOf(TypedBuilder &e, StringRef name, const Val &given) {
    Number n = number(e, given);
    domain(e, equals(e, n, 0, 0));
    return computed(e, name, n);
}

static Val logarithm(TypedBuilder &e, const Arguments &in) {
    const Val *base = in.find("base");
    if (!base)
        return logarithmOf(e, "log", in["z"]);
    Val result = computed(e, "log", number(e, in["z"])); // no error for 0: CPython drops it
    Val divisor = logarithmOf(e, "log", *base);
    domain(e, equals(e, number(e, divisor), 0, 0));
    return binary(e, "truediv", result, divisor);
}

static Val logarithm10(TypedBuilder &e, const Arguments &in) {
    return logarithmOf(e, "log10", in["z"]);
}

static Val phaseOf(TypedBuilder &e, const Number &n) {
    return pyop(e, "math.atan2", {n.im, n.re}, PyFloatType::get(e.ctx));
}

static Val phase(TypedBuilder &e, const Arguments &in) { return phaseOf(e, number(e, in["z"])); }

static Val polar(TypedBuilder &e, const Arguments &in) {
    Number n = number(e, in["z"]);
    Val radius = pyop(e, "math.hypot", {n.re, n.im}, PyFloatType::get(e.ctx));
    raiseIf(e, logicalAnd(e, isFinite(e, n), isInfinite(e, radius)), "OverflowError",
            "math range error");
    return e.tupleVal({radius, phaseOf(e, n)});
}

static Val rectangular(TypedBuilder &e, const Arguments &in) {
    Val r = toPy(e, in["r"], PyKind::Float), phi = toPy(e, in["phi"], PyKind::Float);
    Val zero = compare(e, "eq", r, e.floatVal(0));
    domain(e, logicalAnd(e, isInfinite(e, phi), unary(e, "not", logicalOr(e, zero, isNan(e, r)))));
    auto part = [&](StringRef name) { // r * cos(phi) or r * sin(phi)
        Val factor = toPy(e, ufunc(e, name, {phi}), PyKind::Float);
        Val product = toPy(e, binary(e, "mul", r, factor), PyKind::Float);
        return toPy(
            e,
            ufunc(e, "where", {logicalAnd(e, zero, unary(e, "not", isFinite(e, phi))), r, product}),
            PyKind::Float);
    };
    Val re = part("cos");
    return pyop(e, "complex", {re, part("sin")}, PyComplexType::get(e.ctx));
}

static Val finite(TypedBuilder &e, const Arguments &in) {
    return toPy(e, isFinite(e, number(e, in["z"])), PyKind::Bool);
}
static Val infinite(TypedBuilder &e, const Arguments &in) {
    Number n = number(e, in["z"]);
    return toPy(e, logicalOr(e, isInfinite(e, n.re), isInfinite(e, n.im)), PyKind::Bool);
}
static Val notANumber(TypedBuilder &e, const Arguments &in) {
    Number n = number(e, in["z"]);
    return toPy(e, logicalOr(e, isNan(e, n.re), isNan(e, n.im)), PyKind::Bool);
}

namespace {
constexpr char coshName[] = "cosh", sinhName[] = "sinh", cosName[] = "cos", sinName[] = "sin",
               tanhName[] = "tanh", tanName[] = "tan", sqrtName[] = "sqrt", acosName[] = "arccos",
               asinName[] = "arcsin", acoshName[] = "arccosh", asinhName[] = "arcsinh",
               atanName[] = "arctan", atanhName[] = "arctanh";
} // namespace

ArrayRef<Function> shapecast::cmathFunctions() {
    static const Function list[] = {
        {"cmath.exp", "z", exponential},
        {"cmath.cosh", "z", periodic<coshName, false>},
        {"cmath.sinh", "z", periodic<sinhName, false>},
        {"cmath.cos", "z", periodic<cosName, true>},
        {"cmath.sin", "z", periodic<sinName, true>},
        {"cmath.tanh", "z", tangent<tanhName, false>},
        {"cmath.tan", "z", tangent<tanName, true>},
        {"cmath.sqrt", "z", plain<sqrtName>},
        {"cmath.acos", "z", plain<acosName>},
        {"cmath.asin", "z", plain<asinName>},
        {"cmath.acosh", "z", plain<acoshName>},
        {"cmath.asinh", "z", plain<asinhName>},
        {"cmath.atan", "z", withPoles<atanName, true>},
        {"cmath.atanh", "z", withPoles<atanhName, false>},
        {"cmath.log", "z, base=", logarithm},
        {"cmath.log10", "z", logarithm10},
        {"cmath.phase", "z", phase},
        {"cmath.polar", "z", polar},
        {"cmath.rect", "r, phi", rectangular},
        {"cmath.isfinite", "z", finite},
        {"cmath.isinf", "z", infinite},
        {"cmath.isnan", "z", notANumber},
    };
    return list;
}
