// Python ints of up to 128 bits, PyKind::WideInt: constants and uint64 values beyond 64 bits, and
// what is computed of them. An operation with one computes in 128 bits and raises beyond.
#include "ops/python/python_emit.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace shapecast {

using mlir::Value;

Value PyOperation::asWideInt(size_t i) const {
    if (kinds[i] != PyKind::WideInt)
        return e.extend(asInt(i), 128, /*isSigned=*/true);
    const Value low = e.extend(operands[i].re, 128, false),
                high = e.extend(operands[i].im, 128, false);
    return e.ori(low, e.shl(high, e.integer(high.getType(), 64)));
}

namespace {

Value low(Emit &e, Value wide) { return e.narrow(wide, 64); }
Value high(Emit &e, Value wide) {
    return e.narrow(e.shru(wide, e.integer(wide.getType(), 64)), 64);
}
Scalar parts(Emit &e, Value wide) { return {low(e, wide), high(e, wide)}; }

void trapBeyond(const PyOperation &p, Value condition) {
    if (!p.nowrap)
        p.trap(condition, "OverflowError", "Python int result does not fit in 128 bits");
}

template <class Op> Value checked(const PyOperation &p, Value a, Value b, Value *overflows) {
    Emit &e = p.e;
    const auto pair = mlir::LLVM::LLVMStructType::getLiteral(
        e.builder.getContext(), {e.integerType(128), e.integerType(1)});
    const Value both = Op::create(e.builder, e.loc, pair, a, b);
    const Value overflow = mlir::LLVM::ExtractValueOp::create(e.builder, e.loc, both, 1);
    *overflows = *overflows ? e.ori(*overflows, overflow) : overflow;
    return mlir::LLVM::ExtractValueOp::create(e.builder, e.loc, both, 0);
}

template <class Op> Value checked(const PyOperation &p) {
    Value overflows;
    const Value result = checked<Op>(p, p.asWideInt(0), p.asWideInt(1), &overflows);
    trapBeyond(p, overflows);
    return result;
}

Value smallest(Emit &e) {
    return e.shl(e.integer(e.integerType(128), 1), e.integer(e.integerType(128), 127));
}

struct Division {
    Value quotient, remainder; // floored
};

Division division(const PyOperation &p, llvm::StringRef message, bool canOverflow) {
    Emit &e = p.e;
    const Value a = p.asWideInt(0), b = p.asWideInt(1), zero = e.like(a, 0), one = e.like(a, 1);
    const Value byZero = e.isZero(b);
    p.trap(byZero, "ZeroDivisionError", message);
    const Value overflow = e.andi(e.eq(a, smallest(e)), e.eq(b, e.like(b, -1)));
    if (canOverflow)
        trapBeyond(p, overflow);
    const Value safe = e.select(e.ori(byZero, overflow), one, b);
    const Value quotient = e.divs(a, safe);
    const Value remainder = e.sub(a, e.mul(quotient, safe));
    const Value down = e.andi(e.ne(remainder, zero), e.isNegative(e.xori(remainder, safe)));
    return {e.select(down, e.sub(quotient, one), quotient),
            e.select(down, e.add(remainder, safe), remainder)};
}

Value shift(const PyOperation &p, bool left) {
    Emit &e = p.e;
    const Value a = p.asWideInt(0), count = p.asInt(1);
    p.trap(e.isNegative(count), "ValueError", "negative shift count");
    const Value inRange = e.lt(count, e.like(count, 128), /*isUnsigned=*/true);
    const Value safe = e.extend(e.select(inRange, count, e.like(count, 127)), 128, false);
    if (!left)
        return e.shrs(a, safe);
    const Value shifted = e.shl(a, safe);
    if (p.nowrap) // only low bits count: none are left of a shift beyond
        return e.select(inRange, shifted, e.like(a, 0));
    trapBeyond(
        p, e.ori(e.ne(e.shrs(shifted, safe), a), e.andi(e.invert(inRange), e.ne(a, e.like(a, 0)))));
    return shifted;
}

// To a constant power that is not negative.
Value power(const PyOperation &p) {
    Emit &e = p.e;
    llvm::APInt exponent;
    const bool isConstant = mlir::matchPattern(p.asInt(1), mlir::m_ConstantInt(&exponent));
    assert(isConstant && "inference has seen to it");
    Value result, square = p.asWideInt(0), overflows;
    for (uint64_t rest = isConstant ? exponent.getZExtValue() : 0; rest; rest >>= 1) {
        using Mul = mlir::LLVM::SMulWithOverflowOp;
        if (rest & 1)
            result = result ? checked<Mul>(p, result, square, &overflows) : square;
        if (rest > 1)
            square = checked<Mul>(p, square, square, &overflows);
    }
    if (overflows)
        trapBeyond(p, overflows);
    return result ? result : e.like(square, 1);
}

Value extreme(const PyOperation &p) {
    Emit &e = p.e;
    Value best = p.asWideInt(0);
    for (size_t i = 1; i < p.size(); ++i) {
        const Value next = p.asWideInt(i);
        best = e.select(p.op == "min" ? e.lt(next, best) : e.gt(next, best), next, best);
    }
    return best;
}

Value computed(const PyOperation &p) {
    Emit &e = p.e;
    if (p.op == "of_words") { // the low and the high one
        const Value words[] = {e.extend(p.asInt(0), 128, false), e.extend(p.asInt(1), 128, false)};
        return e.ori(words[0], e.shl(words[1], e.like(words[1], 64)));
    }
    if (p.op == "min" || p.op == "max")
        return extreme(p);
    if (p.op == "add" || p.op == "sub" || p.op == "mul") {
        if (p.nowrap)
            return p.op == "add"   ? e.add(p.asWideInt(0), p.asWideInt(1))
                   : p.op == "sub" ? e.sub(p.asWideInt(0), p.asWideInt(1))
                                   : e.mul(p.asWideInt(0), p.asWideInt(1));
        return p.op == "add"   ? checked<mlir::LLVM::SAddWithOverflowOp>(p)
               : p.op == "sub" ? checked<mlir::LLVM::SSubWithOverflowOp>(p)
                               : checked<mlir::LLVM::SMulWithOverflowOp>(p);
    }
    if (p.op == "floordiv")
        return division(p, "integer division or modulo by zero", true).quotient;
    if (p.op == "mod")
        return division(p, "integer modulo by zero", false).remainder;
    if (p.op == "pow")
        return power(p);
    if (p.op == "lshift" || p.op == "rshift")
        return shift(p, p.op == "lshift");
    const Value a = p.asWideInt(0);
    if (p.op == "and")
        return e.andi(a, p.asWideInt(1));
    if (p.op == "or")
        return e.ori(a, p.asWideInt(1));
    if (p.op == "xor")
        return e.xori(a, p.asWideInt(1));
    if (p.op == "invert")
        return e.invert(a);
    if (p.op == "neg" || p.op == "abs") {
        trapBeyond(p, e.eq(a, smallest(e)));
        return p.op == "neg" ? e.neg(a) : e.abs(a);
    }
    return a; // pos, int, widen
}

Value narrowed(const PyOperation &p) {
    Emit &e = p.e;
    const Value a = p.asWideInt(0), bits = low(e, a);
    if (p.op == "low_word" || p.op == "high_word")
        return p.op == "low_word" ? bits : high(e, a);
    const bool isUnsigned = p.op == "uint64";
    p.trap(e.ne(e.extend(bits, 128, !isUnsigned), a), "OverflowError",
           isUnsigned ? "Python integer out of bounds for uint64"
                      : "Python int result does not fit in 64 bits");
    return bits;
}

} // namespace

Scalar emitWideInt(const PyOperation &p) { return parts(p.e, computed(p)); }

Value emitNarrowed(const PyOperation &p) {
    if (p.op == "mod")
        return low(p.e, division(p, "integer modulo by zero", false).remainder);
    if (p.op == "and")
        return low(p.e, p.e.andi(p.asWideInt(0), p.asWideInt(1)));
    return narrowed(p);
}

// Correctly rounded: float division where both are exact as floats, else in the run time.
Value emitWideQuotient(const PyOperation &p) {
    Emit &e = p.e;
    const Value a = p.asWideInt(0), b = p.asWideInt(1);
    const mlir::Type f64 = e.builder.getF64Type();
    p.trap(e.isZero(b), "ZeroDivisionError", "division by zero");
    return e.call("sc_py_wide_truediv", f64, {low(e, a), high(e, a), low(e, b), high(e, b)});
}

} // namespace shapecast
