// Bitwise operations, shifts, and the integer functions gcd and lcm.
#include "ops/ufunc/emit.h"

namespace shapecast {

using mlir::Value;
using Operands = llvm::ArrayRef<Scalar>;

namespace {

unsigned width(Value v) { return v.getType().getIntOrFloatBitWidth(); }

Scalar emitAnd(Emit &e, const Loop &, Operands x) { return {e.andi(x[0].re, x[1].re), nullptr}; }
Scalar emitOr(Emit &e, const Loop &, Operands x) { return {e.ori(x[0].re, x[1].re), nullptr}; }
Scalar emitXor(Emit &e, const Loop &, Operands x) { return {e.xori(x[0].re, x[1].re), nullptr}; }
Scalar emitInvert(Emit &e, const Loop &, Operands x) { return {e.invert(x[0].re), nullptr}; }

// Shifts by the width or more, or by negative counts, give 0 (or -1 for negative numbers shifted
// right).
Scalar emitLeftShift(Emit &e, const Loop &, Operands x) {
    const Value a = x[0].re, count = x[1].re, zero = e.like(a, 0);
    const Value inRange = e.lt(count, e.like(count, width(count)), /*isUnsigned=*/true);
    const Value shifted = e.shl(a, e.select(inRange, count, zero));
    return {e.select(inRange, shifted, zero), nullptr};
}

Scalar emitRightShift(Emit &e, const Loop &loop, Operands x) {
    const Value a = x[0].re, count = x[1].re;
    const Value inRange = e.lt(count, e.like(count, width(count)), /*isUnsigned=*/true);
    const Value last = e.like(count, width(count) - 1);
    const Value safe = e.select(inRange, count, last);
    if (isSigned(loop.out)) // only the sign is left after width - 1 bits
        return {e.shrs(a, safe), nullptr};
    return {e.select(inRange, e.shru(a, safe), e.like(a, 0)), nullptr};
}

Scalar emitBitCount(Emit &e, const Loop &loop, Operands x) {
    const Value a = isSigned(loop.in[0]) ? e.abs(x[0].re) : x[0].re;
    return {e.resize(e.popcount(a), 8, false), nullptr};
}

// |a| and |b| as 64-bit numbers through the runtime; the result wraps to the loop's type.
template <bool lcm> Scalar emitGcd(Emit &e, const Loop &loop, Operands x) {
    const bool sign = isSigned(loop.out);
    const auto magnitude = [&](Value v) {
        const Value wide = e.extend(v, 64, sign);
        return sign ? e.abs(wide) : wide;
    };
    const Value result = e.call(lcm ? "sc_lcm" : "sc_gcd", e.integerType(64),
                                {magnitude(x[0].re), magnitude(x[1].re)});
    return {e.narrow(result, width(x[0].re)), nullptr};
}

// Bitcast to a dtype of the same size, for tensors and scalars (of an array it is a view).
Scalar emitBits(Emit &e, const Loop &loop, Operands x) {
    if (isFloat(loop.in[0]) == isFloat(loop.out))
        return x[0];
    return {isFloat(loop.out) ? e.fromBits(x[0].re, e.type(loop.out)) : e.bits(x[0].re), nullptr};
}

constexpr llvm::StringLiteral bitLoops = "e->h e->H f->i f->I d->l d->L h->e H->e i->f I->f l->d "
                                         "L->d b->B B->b h->H H->h i->I I->i l->L L->l";

constexpr llvm::StringLiteral boolAndInts2 = "##->#:?bBhHiIlL", ints2 = "##->#:bBhHiIlL";

constexpr Ufunc rows[] = {
    {"bitwise_and", 2, 1, boolAndInts2, emitAnd},
    {"bitwise_or", 2, 1, boolAndInts2, emitOr},
    {"bitwise_xor", 2, 1, boolAndInts2, emitXor},
    {"invert", 1, 1, "#->#:?bBhHiIlL", emitInvert, "bitwise_not bitwise_invert"},
    {"left_shift", 2, 2, ints2, emitLeftShift, "bitwise_left_shift"},
    {"right_shift", 2, 2, ints2, emitRightShift, "bitwise_right_shift"},
    {"bits", 1, 0, bitLoops, emitBits, "", Resolution::Search, "", /*ownHalf=*/true},
    {"bitwise_count", 1, 2, "#->B:bBhHiIlL", emitBitCount},
    {"gcd", 2, 60, ints2, emitGcd<false>, "", Resolution::Integer},
    {"lcm", 2, 60, ints2, emitGcd<true>, "", Resolution::Integer},
};

} // namespace

llvm::ArrayRef<Ufunc> bitUfuncs() { return rows; }

std::optional<std::string> bitsLoop(DType from, DType to) {
    for (const Loop &loop : ufuncLoops(*findUfunc("bits")))
        if (loop.in[0] == from && loop.out == to)
            return loop.text();
    return std::nullopt;
}

} // namespace shapecast
