// Rounding, and functions on the parts of a float: copysign to frexp.
#include "ops/ufunc/emit.h"

#include <cmath>
#include <limits>

namespace shapecast {

using mlir::Value;
using Operands = llvm::ArrayRef<Scalar>;

namespace {

template <Value (Emit::*round)(Value)> Scalar emitRound(Emit &e, const Loop &loop, Operands x) {
    if (!isFloat(loop.out) && !isComplex(loop.out))
        return x[0];
    return {(e.*round)(x[0].re), x[0].im ? (e.*round)(x[0].im) : nullptr};
}

Scalar emitCopysign(Emit &e, const Loop &, Operands x) {
    return {e.copysign(x[0].re, x[1].re), nullptr};
}

Scalar emitHeaviside(Emit &e, const Loop &, Operands x) {
    const Value a = x[0].re, zero = e.like(a, 0), one = e.like(a, 1);
    const Value step = e.select(e.gt(a, zero), one, e.select(e.isNegative(a), zero, x[1].re));
    return {e.select(e.isNan(a), a, step), nullptr};
}

// Adjacent floats have adjacent bit patterns.
Value step(Emit &e, Value x, Value outwards) {
    const Value bits = e.bits(x), one = e.like(bits, 1);
    return e.fromBits(e.select(outwards, e.add(bits, one), e.sub(bits, one)), x.getType());
}

Scalar emitNextafter(Emit &e, const Loop &loop, Operands x) {
    const Value a = x[0].re, b = x[1].re;
    const Value outwards = e.xori(e.isNegative(a), e.gt(b, a)); // away from zero
    const Value bits = e.bits(a);
    const Value smallest = e.fromBits(e.like(bits, 1), a.getType());
    Value next = step(e, a, outwards);
    next = e.select(e.isZero(a), e.copysign(smallest, b), next);
    next = e.select(e.eq(a, b), loop.out == DType::F16 ? a : b, next);
    const Value nan = e.like(a, std::numeric_limits<double>::quiet_NaN());
    return {e.select(e.compare(Emit::Order::UNO, a, b), nan, next), nullptr};
}

// NumPy's float16 has its own rule for negative powers of two.
Value halfSpacing(Emit &e, Value x) {
    const Value wide = e.extend(e.bits(x), 32, false);
    return e.fromBits(e.narrow(e.call("sc_half_spacing", e.integerType(32), {wide}), 16),
                      x.getType());
}

Scalar emitSpacing(Emit &e, const Loop &loop, Operands x) {
    const Value a = x[0].re;
    if (loop.out == DType::F16)
        return {halfSpacing(e, a), nullptr};
    const Value smallest = e.fromBits(e.like(e.bits(a), 1), a.getType());
    const Value gap = e.sub(step(e, a, e.truth(true)), a);
    const Value nan = e.like(a, std::numeric_limits<double>::quiet_NaN());
    const Value finite = e.lt(e.abs(a), e.like(a, HUGE_VAL));
    return {e.select(finite, e.select(e.isZero(a), smallest, gap), nan), nullptr};
}

Scalar emitFraction(Emit &e, const Loop &, Operands x) {
    const Value a = x[0].re, whole = e.trunc(a);
    const Value isInf = e.eq(e.abs(a), e.like(a, HUGE_VAL));
    return {e.copysign(e.select(isInf, e.like(a, 0), e.sub(a, whole)), a), nullptr};
}

Scalar emitWhole(Emit &e, const Loop &, Operands x) { return {e.trunc(x[0].re), nullptr}; }

Scalar emitFrexpMantissa(Emit &e, const Loop &, Operands x) {
    const mlir::Type type = x[0].re.getType();
    return {e.call(type.isF32() ? "sc_frexp_mantissaf" : "sc_frexp_mantissa", type, {x[0].re}),
            nullptr};
}

Scalar emitFrexpExponent(Emit &e, const Loop &, Operands x) {
    const mlir::Type type = x[0].re.getType();
    return {e.call(type.isF32() ? "sc_frexp_exponentf" : "sc_frexp_exponent", e.integerType(32),
                   {x[0].re}),
            nullptr};
}

Scalar emitLdexp(Emit &e, const Loop &loop, Operands x) {
    Value exponent = x[1].re;
    if (loop.in[1] == DType::I64) { // C's ldexp takes an int
        const Value top = e.like(exponent, INT32_MAX), bottom = e.like(exponent, INT32_MIN);
        exponent = e.select(e.gt(exponent, top), top, exponent);
        exponent = e.narrow(e.select(e.lt(exponent, bottom), bottom, exponent), 32);
    }
    return {e.libm("ldexp", {x[0].re, exponent}), nullptr};
}

constexpr llvm::StringLiteral floats1 = "#->#:efd", floats2 = "##->#:efd",
                              reals1 = "#->#:?bBhHiIlLefd";

constexpr Ufunc rows[] = {
    idempotent({"floor", 1, 1, reals1, emitRound<&Emit::floor>}),
    idempotent({"ceil", 1, 1, reals1, emitRound<&Emit::ceil>}),
    idempotent({"trunc", 1, 1, reals1, emitRound<&Emit::trunc>, "fix"}),
    idempotent({"rint", 1, 1, "#->#:efdFD", emitRound<&Emit::rint>}),
    {"copysign", 2, 2, floats2, emitCopysign},
    {"heaviside", 2, 3, floats2, emitHeaviside},
    {"nextafter", 2, 6, floats2, emitNextafter, "", Resolution::Search, "", /*ownHalf=*/true},
    {"spacing", 1, 5, floats1, emitSpacing, "", Resolution::Search, "", /*ownHalf=*/true},
    {"modf.0", 1, 3, floats1, emitFraction},
    {"modf.1", 1, 1, floats1, emitWhole},
    {"frexp.0", 1, 10, floats1, emitFrexpMantissa},
    {"frexp.1", 1, 10, "#->i:efd", emitFrexpExponent},
    {"ldexp", 2, 10, "ei->e fi->f el->e fl->f di->d dl->d", emitLdexp},
};

} // namespace

llvm::ArrayRef<Ufunc> roundUfuncs() { return rows; }

} // namespace shapecast
