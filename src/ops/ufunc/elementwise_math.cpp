// Roots, exponentials, logarithms, trigonometry: calls of C's math library, which
// lower/llvm/vector_math.cpp vectorises.
#include "ops/ufunc/emit.h"

#include <cmath>
#include <numbers>

namespace shapecast {

using mlir::Value;
using Operands = llvm::ArrayRef<Scalar>;

namespace {

// C's names for float64; the complex functions are sc_c<name> in the runtime.
struct Exp2 {
    static constexpr const char *name = "exp2";
};
struct Expm1 {
    static constexpr const char *name = "expm1";
};
struct Log {
    static constexpr const char *name = "log";
};
struct Log2 {
    static constexpr const char *name = "log2";
};
struct Log10 {
    static constexpr const char *name = "log10";
};
struct Log1p {
    static constexpr const char *name = "log1p";
};
struct Cbrt {
    static constexpr const char *name = "cbrt";
};
struct Sin {
    static constexpr const char *name = "sin";
};
struct Cos {
    static constexpr const char *name = "cos";
};
struct Tan {
    static constexpr const char *name = "tan";
};
struct Asin {
    static constexpr const char *name = "asin";
};
struct Acos {
    static constexpr const char *name = "acos";
};
struct Atan {
    static constexpr const char *name = "atan";
};
struct Sinh {
    static constexpr const char *name = "sinh";
};
struct Cosh {
    static constexpr const char *name = "cosh";
};
struct Tanh {
    static constexpr const char *name = "tanh";
};
struct Asinh {
    static constexpr const char *name = "asinh";
};
struct Acosh {
    static constexpr const char *name = "acosh";
};
struct Atanh {
    static constexpr const char *name = "atanh";
};
struct Erf {
    static constexpr const char *name = "erf";
};
struct Erfc {
    static constexpr const char *name = "erfc";
};
struct Gammaln {
    static constexpr const char *name = "gammaln";
};
struct Atan2 {
    static constexpr const char *name = "atan2";
};
struct Hypot {
    static constexpr const char *name = "hypot";
};

template <class Function> Scalar emitLibm(Emit &e, const Loop &loop, Operands x) {
    if (isComplex(loop.in[0]))
        return e.complexCall(Function::name, x);
    llvm::SmallVector<Value, 2> arguments;
    for (const Scalar &s : x)
        arguments.push_back(s.re);
    return {e.libm(Function::name, arguments), nullptr};
}

// exp(re) * (cos(im) + i sin(im)), with C's results where parts are infinite, NaN or 0; expanded
// inline, so that loops are vectorised. complex64 is computed in double precision.
Scalar emitExp(Emit &e, const Loop &loop, Operands x) {
    if (!isComplex(loop.in[0]))
        return {e.libm("exp", {x[0].re}), nullptr};
    const mlir::Type own = x[0].re.getType(), wide = e.type(DType::F64);
    const Value re = e.widenFloat(x[0].re, wide), im = e.widenFloat(x[0].im, wide);
    const Value zero = e.like(re, 0), endless = e.isNan(e.sub(im, im));
    const Value vanishes = e.andi(endless, e.eq(re, e.like(re, -INFINITY))),
                explodes = e.andi(endless, e.eq(re, e.like(re, INFINITY)));
    Value real, imaginary;
    if (own.isF32()) {
        const Value size = e.libm("exp", {re});
        real = e.mul(size, e.libm("cos", {im}));
        imaginary = e.mul(size, e.libm("sin", {im}));
    } else {
        real = e.libm("expcos", {re, im});
        imaginary = e.libm("expsin", {re, im});
    }
    const Value safe = e.select(vanishes, e.copysign(zero, im), imaginary);
    return {e.narrowFloat(e.select(explodes, re, e.select(vanishes, zero, real)), own),
            e.narrowFloat(e.select(e.isZero(im), im, safe), own)};
}

// As C's csqrt: the larger part, and |im| over twice that. complex64 is computed in double
// precision, where squares need no scaling.
Scalar emitSqrt(Emit &e, const Loop &loop, Operands x) {
    if (!isComplex(loop.in[0]))
        return {e.sqrt(x[0].re), nullptr};
    const mlir::Type own = x[0].re.getType(), wide = e.type(DType::F64);
    const Value re = e.widenFloat(x[0].re, wide), im = e.widenFloat(x[0].im, wide);
    const Value zero = e.like(re, 0), infinity = e.like(re, INFINITY);
    const Value endless = e.eq(e.abs(im), infinity);
    Value large;
    if (own.isF32()) {
        const Value size = e.sqrt(e.add(e.mul(re, re), e.mul(im, im)));
        large = e.sqrt(e.mul(e.like(re, 0.5), e.add(e.abs(re), size)));
        large = e.select(e.eq(e.abs(re), infinity), infinity, large);
    } else {
        large = e.libm("rootsum", {re, im});
    }
    const Value quotient = e.div(e.abs(im), e.add(large, large));
    const Value small = e.select(e.isZero(large), zero, quotient), right = e.ge(re, zero);
    const Value isNan = e.isNan(re);
    const Value real = e.select(right, large, e.select(isNan, large, small));
    const Value imaginary = e.copysign(e.select(right, small, large), im);
    return {e.narrowFloat(e.select(endless, infinity, real), own),
            e.narrowFloat(e.select(endless, im, imaginary), own)};
}

// The factor is computed in the loop's precision, as NumPy's is.
template <bool toDegrees> Scalar emitAngleUnit(Emit &e, const Loop &, Operands x) {
    const Value a = x[0].re;
    double factor = toDegrees ? 180.0 / std::numbers::pi : std::numbers::pi / 180.0;
    if (a.getType().isF32())
        factor =
            toDegrees ? 180.0f / std::numbers::pi_v<float> : std::numbers::pi_v<float> / 180.0f;
    return {e.mul(a, e.like(a, factor)), nullptr};
}

// log(b^x + b^y) = max + log1p(b^-|x - y|) / log(b)
template <bool baseTwo> Scalar emitLogAddExp(Emit &e, const Loop &, Operands x) {
    const Value a = x[0].re, b = x[1].re;
    const Value difference = e.sub(a, b);
    const Value larger = e.select(e.gt(difference, e.like(a, 0)), a, b);
    const Value power = e.libm(baseTwo ? "exp2" : "exp", {e.neg(e.abs(difference))});
    Value correction = e.libm("log1p", {power});
    if (baseTwo)
        correction = e.mul(correction, e.like(a, std::numbers::log2e));
    const Value sum = e.add(larger, correction);
    const Value doubled = e.add(a, e.like(a, baseTwo ? 1.0 : std::numbers::ln2));
    const Value result = e.select(e.isNan(difference), difference, sum);
    return {e.select(e.eq(a, b), doubled, result), nullptr}; // equal infinities: no NaN
}

constexpr llvm::StringLiteral inexact1 = "#->#:efdFD", floats1 = "#->#:efd", singles1 = "#->#:fd",
                              floats2 = "##->#:efd";

constexpr Ufunc rows[] = {
    {"sqrt", 1, 5, inexact1, emitSqrt},
    {"cbrt", 1, 30, floats1, emitLibm<Cbrt>},
    {"exp", 1, 20, inexact1, emitExp},
    {"exp2", 1, 20, inexact1, emitLibm<Exp2>},
    {"expm1", 1, 25, inexact1, emitLibm<Expm1>},
    {"log", 1, 20, inexact1, emitLibm<Log>},
    {"log2", 1, 20, inexact1, emitLibm<Log2>},
    {"log10", 1, 20, inexact1, emitLibm<Log10>},
    {"log1p", 1, 25, inexact1, emitLibm<Log1p>},
    {"logaddexp", 2, 50, floats2, emitLogAddExp<false>},
    {"logaddexp2", 2, 50, floats2, emitLogAddExp<true>},
    {"sin", 1, 20, inexact1, emitLibm<Sin>},
    {"cos", 1, 20, inexact1, emitLibm<Cos>},
    {"tan", 1, 30, inexact1, emitLibm<Tan>},
    {"arcsin", 1, 30, inexact1, emitLibm<Asin>, "asin"},
    {"arccos", 1, 30, inexact1, emitLibm<Acos>, "acos"},
    {"arctan", 1, 30, inexact1, emitLibm<Atan>, "atan"},
    {"arctan2", 2, 35, floats2, emitLibm<Atan2>, "atan2"},
    {"hypot", 2, 20, floats2, emitLibm<Hypot>},
    {"sinh", 1, 35, inexact1, emitLibm<Sinh>},
    {"cosh", 1, 35, inexact1, emitLibm<Cosh>},
    {"tanh", 1, 35, inexact1, emitLibm<Tanh>},
    {"arcsinh", 1, 40, inexact1, emitLibm<Asinh>, "asinh"},
    {"arccosh", 1, 40, inexact1, emitLibm<Acosh>, "acosh"},
    {"arctanh", 1, 40, inexact1, emitLibm<Atanh>, "atanh"},
    {"degrees", 1, 1, floats1, emitAngleUnit<true>},
    {"rad2deg", 1, 1, floats1, emitAngleUnit<true>},
    {"radians", 1, 1, floats1, emitAngleUnit<false>},
    {"deg2rad", 1, 1, floats1, emitAngleUnit<false>},
    // of scipy.special
    {"erf", 1, 30, singles1, emitLibm<Erf>},
    {"erfc", 1, 30, singles1, emitLibm<Erfc>},
    {"gammaln", 1, 40, singles1, emitLibm<Gammaln>},
};

} // namespace

llvm::ArrayRef<Ufunc> mathUfuncs() { return rows; }

} // namespace shapecast
