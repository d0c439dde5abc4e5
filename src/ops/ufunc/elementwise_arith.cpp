// Arithmetic: add to float_power, signs, minimum and maximum, where and clip.
#include "ops/ufunc/emit.h"

#include "mlir/IR/Matchers.h"
#include <cmath>
#include <limits>

namespace shapecast {

using mlir::Value;
using Operands = llvm::ArrayRef<Scalar>;

Scalar emitMultiply(Emit &e, DType dtype, Scalar a, Scalar b) {
    if (isBool(dtype))
        return {e.andi(a.re, b.re), nullptr};
    if (!isComplex(dtype))
        return {e.mul(a.re, b.re), nullptr};
    return {e.sub(e.mul(a.re, b.re), e.mul(a.im, b.im)),
            e.add(e.mul(a.re, b.im), e.mul(a.im, b.re))};
}

namespace {

// a <= b in NumPy's lexicographic order of complex numbers: (re less and no NaN in the imaginary
// parts) or (re equal and im less or equal).
Value complexBefore(Emit &e, Scalar a, Scalar b) {
    const Value noNan = e.compare(Emit::Order::ORD, a.im, b.im);
    return e.ori(e.andi(e.lt(a.re, b.re), noNan), e.andi(e.eq(a.re, b.re), e.le(a.im, b.im)));
}

Value hasNan(Emit &e, Scalar a) {
    return a.im ? e.ori(e.isNan(a.re), e.isNan(a.im)) : e.isNan(a.re);
}

Scalar choose(Emit &e, Value condition, Scalar yes, Scalar no) {
    return {e.select(condition, yes.re, no.re),
            yes.im ? e.select(condition, yes.im, no.im) : nullptr};
}

} // namespace

Scalar emitMinMax(Emit &e, DType dtype, bool maximum, bool ignoreNan, Scalar a, Scalar b) {
    if (isComplex(dtype)) {
        const Value keep = maximum ? complexBefore(e, b, a) : complexBefore(e, a, b);
        return choose(e, e.ori(keep, hasNan(e, ignoreNan ? b : a)), a, b);
    }
    if (isFloat(dtype) && !ignoreNan)
        return {e.extreme(maximum, a.re, b.re), nullptr};
    const bool isUnsigned = !isSigned(dtype) && !isFloat(dtype);
    const Value first = maximum ? e.gt(a.re, b.re, isUnsigned) : e.lt(a.re, b.re, isUnsigned);
    const Value chosen = e.select(first, a.re, b.re); // b where unordered
    if (!isFloat(dtype))
        return {chosen, nullptr};
    return {e.select(e.isNan(b.re), a.re, chosen), nullptr};
}

namespace {

//===-- Sums and products ---------------------------------------------------------------------===//

Scalar emitAdd(Emit &e, const Loop &loop, Operands x) {
    if (isBool(loop.out))
        return {e.ori(x[0].re, x[1].re), nullptr};
    return {e.add(x[0].re, x[1].re), x[0].im ? e.add(x[0].im, x[1].im) : nullptr};
}

Scalar emitSubtract(Emit &e, const Loop &, Operands x) {
    return {e.sub(x[0].re, x[1].re), x[0].im ? e.sub(x[0].im, x[1].im) : nullptr};
}

Scalar emitProduct(Emit &e, const Loop &loop, Operands x) {
    return emitMultiply(e, loop.out, x[0], x[1]);
}

// x * y + z, fused, for sums of products, as BLAS computes them.
Scalar emitMultiplyAdd(Emit &e, const Loop &loop, Operands x) {
    const Scalar a = x[0], b = x[1], sum = x[2];
    if (isBool(loop.out))
        return {e.ori(e.andi(a.re, b.re), sum.re), nullptr};
    if (!isComplex(loop.out))
        return {e.mulAdd(a.re, b.re, sum.re), nullptr};
    return {e.mulAdd(e.neg(a.im), b.im, e.mulAdd(a.re, b.re, sum.re)),
            e.mulAdd(a.im, b.re, e.mulAdd(a.re, b.im, sum.im))};
}

Scalar emitSquare(Emit &e, const Loop &loop, Operands x) {
    return emitMultiply(e, loop.out, x[0], x[0]);
}

//===-- Quotients -----------------------------------------------------------------------------===//

// Smith's division, as in NumPy, with its branch if-converted to selects.
Scalar complexQuotient(Emit &e, Scalar a, Scalar b) {
    const Value re = e.abs(b.re), im = e.abs(b.im);
    const Value realWins = e.ge(re, im);
    const Value big = e.select(realWins, b.re, b.im), small = e.select(realWins, b.im, b.re);
    const Value ratio = e.div(small, big);
    const Value scale = e.div(e.like(big, 1), e.add(big, e.mul(small, ratio)));
    const Value x = e.select(realWins, a.re, a.im), y = e.select(realWins, a.im, a.re);
    const Value product = e.mul(x, ratio);
    const Value outRe = e.mul(e.add(x, e.mul(y, ratio)), scale);
    const Value outIm =
        e.mul(e.sub(e.select(realWins, y, product), e.select(realWins, product, y)), scale);
    const Value zero = e.andi(e.isZero(re), e.isZero(im));
    return {e.select(zero, e.div(a.re, re), outRe), e.select(zero, e.div(a.im, re), outIm)};
}

Scalar emitDivide(Emit &e, const Loop &loop, Operands x) {
    if (isComplex(loop.out))
        return complexQuotient(e, x[0], x[1]);
    return {e.div(x[0].re, x[1].re), nullptr};
}

struct Division {
    Value quotient, remainder; // truncating, as C's; by zero: those of a division by 1
    Value byZero;
};

// x86 has vector division of floats only. With a significand two bits longer than the integers, no
// quotient is rounded to an integer unless it is one.
Value floatQuotient(Emit &e, Value n, Value d, bool isSigned) {
    const unsigned bits = n.getType().getIntOrFloatBitWidth();
    const mlir::Type type = e.type(bits <= 16 ? DType::F32 : DType::F64);
    const Value quotient = e.div(e.toFloat(n, type, isSigned), e.toFloat(d, type, isSigned));
    return e.narrow(e.truncated(quotient, isSigned || bits < 32), bits);
}

// An integer division that cannot fault: the divisor is 1 for x / 0 and for the smallest integer /
// -1.
Division safeDivision(Emit &e, Value n, Value d, bool isSigned) {
    const Value one = e.like(d, 1);
    const Value byZero = e.isZero(d);
    Value bad = byZero;
    const unsigned bits = n.getType().getIntOrFloatBitWidth();
    if (isSigned) {
        const Value smallest = e.integer(n.getType(), INT64_MIN >> (64 - bits));
        bad = e.ori(bad, e.andi(e.eq(n, smallest), e.eq(d, e.like(d, -1))));
    }
    const Value safe = e.select(bad, one, d);
    llvm::APInt known; // LLVM divides by a constant with a multiplication and a shift
    const bool isInteger = bits == 64 || matchPattern(d, mlir::m_ConstantInt(&known));
    const Value quotient = !isInteger ? floatQuotient(e, n, safe, isSigned)
                           : isSigned ? e.divs(n, safe)
                                      : e.divu(n, safe);
    return {quotient, e.sub(n, e.mul(quotient, safe)), byZero};
}

struct FloatDivision {
    Value quotient, remainder;
};

// npy_divmod of floats: the remainder has the divisor's sign.
FloatDivision floatDivision(Emit &e, Value a, Value b) {
    const Value zero = e.like(a, 0), one = e.like(a, 1);
    const Value byZero = e.isZero(b);
    const Value mod = e.fmod(a, b);
    const Value exact = e.div(e.sub(a, mod), b);
    const Value nonzero = e.ne(mod, zero);
    const Value differ = e.andi(nonzero, e.xori(e.isNegative(b), e.isNegative(mod)));
    const Value quotient = e.select(differ, e.sub(exact, one), exact);
    const Value remainder =
        e.select(nonzero, e.select(differ, e.add(mod, b), mod), e.copysign(zero, b));
    const Value floored = e.floor(quotient);
    const Value up = e.gt(e.sub(quotient, floored), e.like(a, 0.5));
    const Value snapped = e.select(up, e.add(floored, one), floored);
    const Value ratio = e.div(a, b);
    const Value result = e.select(e.isZero(quotient), e.copysign(zero, ratio), snapped);
    return {e.select(byZero, ratio, result), e.select(byZero, mod, remainder)};
}

Scalar emitFloorDivide(Emit &e, const Loop &loop, Operands x) {
    const Value a = x[0].re, b = x[1].re;
    if (isFloat(loop.out))
        return {floatDivision(e, a, b).quotient, nullptr};
    const Division division = safeDivision(e, a, b, isSigned(loop.out));
    Value quotient = division.quotient;
    if (isSigned(loop.out)) {
        const Value differ = e.isNegative(e.xori(division.remainder, b));
        const Value down = e.andi(e.invert(e.isZero(division.remainder)), differ);
        quotient = e.select(down, e.sub(quotient, e.like(quotient, 1)), quotient);
    }
    return {e.select(division.byZero, e.like(a, 0), quotient), nullptr};
}

Scalar emitRemainder(Emit &e, const Loop &loop, Operands x) {
    const Value a = x[0].re, b = x[1].re;
    if (isFloat(loop.out))
        return {floatDivision(e, a, b).remainder, nullptr};
    const Value remainder = safeDivision(e, a, b, isSigned(loop.out)).remainder;
    if (!isSigned(loop.out))
        return {remainder, nullptr};
    const Value differ = e.isNegative(e.xori(remainder, b));
    const Value wrap = e.andi(e.invert(e.isZero(remainder)), differ);
    return {e.select(wrap, e.add(remainder, b), remainder), nullptr};
}

Scalar emitFmod(Emit &e, const Loop &loop, Operands x) {
    if (isFloat(loop.out))
        return {e.fmod(x[0].re, x[1].re), nullptr};
    return {safeDivision(e, x[0].re, x[1].re, isSigned(loop.out)).remainder, nullptr};
}

Scalar emitReciprocal(Emit &e, const Loop &loop, Operands x) {
    const Value a = x[0].re, one = e.like(a, 1);
    if (isFloat(loop.out))
        return {e.div(one, a), nullptr};
    if (isComplex(loop.out)) {
        const Value im = x[0].im;
        const Value realWins = e.le(e.abs(im), e.abs(a));
        const Value big = e.select(realWins, a, im), small = e.select(realWins, im, a);
        const Value ratio = e.div(small, big);
        const Value scale = e.add(big, e.mul(small, ratio));
        return {e.div(e.select(realWins, one, ratio), scale),
                e.div(e.neg(e.select(realWins, ratio, one)), scale)};
    }
    // 1/x is 1, -1 or 0; for 0 it is what the cast of infinity gives.
    const DType d = loop.out;
    const Value infinity =
        emitCast(e.builder, e.loc, {e.real(e.type(DType::F64), HUGE_VAL), nullptr}, DType::F64, d)
            .re;
    const Value unit = e.select(e.eq(a, one), one, e.like(a, 0));
    const Value result = isSigned(d) ? e.select(e.eq(a, e.like(a, -1)), e.like(a, -1), unit) : unit;
    return {e.select(e.isZero(a), infinity, result), nullptr};
}

//===-- Powers --------------------------------------------------------------------------------===//

Value constantPower(Emit &e, Value base, uint64_t exponent) {
    Value result, square = base;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result ? e.mul(result, square) : square;
        if (exponent > 1)
            square = e.mul(square, square);
    }
    return result ? result : e.like(base, 1);
}

// The exponents for which NumPy's loop does not call pow.
Value fastPower(Emit &e, Value base, double exponent) {
    if (exponent == 2)
        return e.mul(base, base);
    if (exponent == 1)
        return base;
    if (exponent == 0)
        return e.like(base, 1);
    if (exponent == -1)
        return e.div(e.like(base, 1), base);
    if (exponent == 0.5)
        return e.sqrt(base);
    return nullptr;
}

Scalar emitPower(Emit &e, const Loop &loop, Operands x) {
    const Value a = x[0].re, b = x[1].re;
    if (isComplex(loop.out))
        return e.complexCall("pow", x);
    if (isFloat(loop.out)) {
        mlir::FloatAttr constant;
        if (mlir::matchPattern(b, mlir::m_Constant(&constant)))
            if (const Value fast = fastPower(e, a, constant.getValueAsDouble()))
                return {fast, nullptr};
        return {e.libm("pow", {a, b}), nullptr};
    }
    llvm::APInt constant;
    if (mlir::matchPattern(b, mlir::m_ConstantInt(&constant)) &&
        (isUnsigned(loop.out) || constant.isNonNegative()))
        return {constantPower(e, a, constant.getZExtValue()), nullptr};
    const unsigned bits = a.getType().getIntOrFloatBitWidth();
    const bool sign = isSigned(loop.out);
    const Value wide = e.call(sign ? "sc_ipow" : "sc_upow", e.integerType(64),
                              {e.extend(a, 64, sign), e.extend(b, 64, sign)});
    return {e.narrow(wide, bits), nullptr};
}

//===-- Signs ---------------------------------------------------------------------------------===//

Scalar emitPositive(Emit &, const Loop &, Operands x) { return x[0]; }

Scalar emitNegative(Emit &e, const Loop &, Operands x) {
    return {e.neg(x[0].re), x[0].im ? e.neg(x[0].im) : nullptr};
}

Scalar emitAbsolute(Emit &e, const Loop &loop, Operands x) {
    if (x[0].im)
        return {e.libm("hypot", {x[0].re, x[0].im}), nullptr};
    if (isBool(loop.out) || isUnsigned(loop.out))
        return x[0];
    return {e.abs(x[0].re), nullptr};
}

Scalar emitFabs(Emit &e, const Loop &, Operands x) { return {e.abs(x[0].re), nullptr}; }

Scalar complexSign(Emit &e, Scalar a) {
    const Value zero = e.like(a.re, 0), one = e.like(a.re, 1);
    const Value nan = e.like(a.re, std::numeric_limits<double>::quiet_NaN());
    const Value infinity = e.like(a.re, HUGE_VAL);
    const Value size = e.libm("hypot", {a.re, a.im});
    const Value reInf = e.eq(e.abs(a.re), infinity), imInf = e.eq(e.abs(a.im), infinity);
    const Value both = e.andi(reInf, imInf), isInf = e.eq(size, infinity);
    const auto part = [&](Value v, Value vInf) {
        const Value atInf = e.select(both, nan, e.select(vInf, e.copysign(one, v), zero));
        const Value finite = e.select(e.isZero(size), zero, e.div(v, size));
        return e.select(isInf, atInf, finite);
    };
    const Value re = part(a.re, reInf), im = part(a.im, imInf);
    const Value bad = e.isNan(size);
    return {e.select(bad, nan, re), e.select(bad, nan, im)};
}

Scalar emitSign(Emit &e, const Loop &loop, Operands x) {
    if (isComplex(loop.out))
        return complexSign(e, x[0]);
    const Value a = x[0].re, zero = e.like(a, 0), one = e.like(a, 1);
    const Value positive = e.gt(a, zero, isUnsigned(loop.out));
    if (isUnsigned(loop.out))
        return {e.select(positive, one, zero), nullptr};
    const Value rest = e.select(e.isNegative(a), e.like(a, -1), zero);
    const Value sign = e.select(positive, one, rest);
    return {isFloat(loop.out) ? e.select(e.isNan(a), a, sign) : sign, nullptr};
}

//===-- Minimum, maximum, clip, where

template <bool maximum, bool ignoreNan> Scalar emitExtreme(Emit &e, const Loop &loop, Operands x) {
    return emitMinMax(e, loop.out, maximum, ignoreNan, x[0], x[1]);
}

// clip compares complex numbers lexicographically, even if the other part is NaN.
Scalar complexClip(Emit &e, Scalar a, Scalar low, Scalar high) {
    const auto keepWhere = [&](Value re, Value im, Scalar value, Scalar bound) {
        const Value inside = e.select(e.eq(value.re, bound.re), im, re);
        return choose(e, e.ori(inside, hasNan(e, value)), value, bound);
    };
    const Scalar raised = keepWhere(e.gt(a.re, low.re), e.gt(a.im, low.im), a, low);
    return keepWhere(e.lt(raised.re, high.re), e.lt(raised.im, high.im), raised, high);
}

Scalar emitClip(Emit &e, const Loop &loop, Operands x) {
    if (isComplex(loop.out))
        return complexClip(e, x[0], x[1], x[2]);
    const Scalar raised = emitMinMax(e, loop.out, /*maximum=*/true, false, x[0], x[1]);
    return emitMinMax(e, loop.out, /*maximum=*/false, false, raised, x[2]);
}

Scalar emitWhere(Emit &e, const Loop &, Operands x) { return choose(e, x[0].re, x[1], x[2]); }

constexpr llvm::StringLiteral all2 = "##->#:?bBhHiIlLefdFD", numbers2 = "##->#:bBhHiIlLefdFD",
                              numbers1 = "#->#:bBhHiIlLefdFD", reals2 = "##->#:bBhHiIlLefd";

constexpr Ufunc rows[] = {
    {"add", 2, 1, all2, emitAdd},
    {"subtract", 2, 1, numbers2, emitSubtract, "", Resolution::NotBool,
     "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
     "operator, "
     "or the logical_xor function instead."},
    {"multiply", 2, 1, all2, emitProduct},
    {"multiply_add", 3, 2, "###->#:?bBhHiIlLfdFD", emitMultiplyAdd}, // for products; not in NumPy
    {"divide", 2, 5, "##->#:efdFD", emitDivide, "true_divide", Resolution::Divide},
    {"floor_divide", 2, 12, reals2, emitFloorDivide},
    {"remainder", 2, 12, reals2, emitRemainder, "mod"},
    {"divmod.0", 2, 12, reals2, emitFloorDivide},
    {"divmod.1", 2, 12, reals2, emitRemainder},
    {"fmod", 2, 12, reals2, emitFmod},
    {"power", 2, 40, numbers2, emitPower, "pow"},
    {"float_power", 2, 40, "##->#:dD", emitPower},
    {"square", 1, 1, numbers1, emitSquare},
    {"reciprocal", 1, 4, numbers1, emitReciprocal},
    idempotent({"positive", 1, 0, numbers1, emitPositive, "", Resolution::NotBool}),
    {"negative", 1, 1, numbers1, emitNegative, "", Resolution::NotBool,
     "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
     "logical_not function instead."},
    idempotent({"absolute", 1, 1, "#->#:?bBhHiIlLefd F->f D->d", emitAbsolute, "abs"}),
    idempotent({"fabs", 1, 1, "#->#:efd", emitFabs}),
    idempotent({"sign", 1, 2, numbers1, emitSign, "", Resolution::NotBool}),
    {"maximum", 2, 1, all2, emitExtreme<true, false>},
    {"minimum", 2, 1, all2, emitExtreme<false, false>},
    {"fmax", 2, 1, all2, emitExtreme<true, true>},
    {"fmin", 2, 1, all2, emitExtreme<false, true>},
    {"clip", 3, 2, "###->#:?bBhHiIlLefdFD", emitClip},
    {"where", 3, 1, "?##->#:?bBhHiIlLefdFD", emitWhere, "", Resolution::Where},
};

} // namespace

llvm::ArrayRef<Ufunc> arithmeticUfuncs() { return rows; }

} // namespace shapecast
