// Python's operators on int, of 64 bits and of 128 (PyKind::WideInt): constants and uint64 values
// beyond 64 bits, and what is computed of them. A result that does not fit raises.
#include "ops/python/python_emit.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace shapecast {

using mlir::Value;

Value PyOperation::asInt(size_t i, unsigned bits) const {
    if (kinds[i] != PyKind::WideInt)
        return e.extend(operands[i].re, bits, kinds[i] == PyKind::Int);
    const Value low = e.extend(operands[i].re, 128, false),
                high = e.extend(operands[i].im, 128, false);
    return e.ori(low, e.shl(high, e.like(high, 64)));
}

void PyOperation::trapOverflow(Value condition, unsigned bits) const {
    if (!nowrap)
        trap(condition, "OverflowError",
             bits == 64 ? "Python int result does not fit in 64 bits"
                        : "Python int result does not fit in 128 bits");
}

namespace {

unsigned bitsOf(Value a) { return a.getType().getIntOrFloatBitWidth(); }

struct Checked {
    Value result, overflow;
};

template <class Op> Checked checked(Emit &e, Value a, Value b) {
    const auto pair = mlir::LLVM::LLVMStructType::getLiteral(e.builder.getContext(),
                                                             {a.getType(), e.integerType(1)});
    const Value both = Op::create(e.builder, e.loc, pair, a, b);
    return {mlir::LLVM::ExtractValueOp::create(e.builder, e.loc, both, 0),
            mlir::LLVM::ExtractValueOp::create(e.builder, e.loc, both, 1)};
}

template <class Op> Value intWrapping(const PyOperation &p, Value a, Value b, Value plain) {
    if (p.nowrap)
        return plain;
    const Checked result = checked<Op>(p.e, a, b);
    p.trapOverflow(result.overflow, bitsOf(a));
    return result.result;
}

Value smallest(Emit &e, mlir::Type type) {
    const unsigned bits = type.getIntOrFloatBitWidth();
    return mlir::arith::ConstantOp::create(
        e.builder, e.loc, e.builder.getIntegerAttr(type, llvm::APInt::getSignedMinValue(bits)));
}

struct IntDivision {
    Value quotient, remainder; // floored; defined for every operand
};

IntDivision intDivision(const PyOperation &p, Value a, Value b, llvm::StringRef message,
                        bool canOverflow) {
    Emit &e = p.e;
    const Value zero = e.like(a, 0), one = e.like(a, 1), byZero = e.isZero(b);
    p.trap(byZero, "ZeroDivisionError", message);
    const Value overflow = e.andi(e.eq(a, smallest(e, a.getType())), e.eq(b, e.like(b, -1)));
    if (canOverflow)
        p.trapOverflow(overflow, bitsOf(a));
    const Value safe = e.select(e.ori(byZero, overflow), one, b);
    const Value quotient = e.divs(a, safe);
    const Value remainder = e.sub(a, e.mul(quotient, safe));
    const Value down = e.andi(e.ne(remainder, zero), e.isNegative(e.xori(remainder, safe)));
    return {e.select(down, e.sub(quotient, one), quotient),
            e.select(down, e.add(remainder, safe), remainder)};
}

Value constantPower(const PyOperation &p, Value base, uint64_t exponent) {
    Emit &e = p.e;
    Value result, square = base, overflow = e.truth(false);
    const auto times = [&](Value a, Value b) {
        const Checked product = checked<mlir::LLVM::SMulWithOverflowOp>(e, a, b);
        overflow = e.ori(overflow, product.overflow);
        return product.result;
    };
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result ? times(result, square) : square;
        if (exponent > 1)
            square = times(square, square);
    }
    p.trapOverflow(overflow, bitsOf(base));
    return result ? result : e.like(base, 1);
}

// In 128 bits the exponent is a constant: inference has seen to it.
Value intPower(const PyOperation &p, Value a) {
    Emit &e = p.e;
    const Value b = p.asInt(1);
    llvm::APInt constant;
    if (mlir::matchPattern(b, mlir::m_ConstantInt(&constant)) &&
        (constant.ult(64) || bitsOf(a) > 64))
        return constantPower(p, a, constant.getZExtValue());
    if (p.kinds[1] == PyKind::Int)
        p.trap(e.isNegative(b), "shapecast.UnsupportedError",
               "int ** negative int is a float in Python: write float(base) ** exponent");
    const Value overflows = e.call("sc_py_pow_overflows", e.integerType(32), {a, b});
    p.trapOverflow(e.invert(e.isZero(overflows)));
    return e.call("sc_py_pow", e.integerType(64), {a, b});
}

Value intShift(const PyOperation &p, Value a, bool left) {
    Emit &e = p.e;
    const unsigned bits = bitsOf(a);
    const Value count = p.asInt(1), zero = e.like(a, 0);
    p.trap(e.isNegative(count), "ValueError", "negative shift count");
    const Value inRange = e.lt(count, e.like(count, bits), /*isUnsigned=*/true);
    const Value safe = e.extend(e.select(inRange, count, e.like(count, bits - 1)), bits, false);
    if (!left)
        return e.shrs(a, safe);
    const Value shifted = e.shl(a, safe);
    if (p.nowrap) // only low bits count, of which a shift beyond leaves none
        return e.select(inRange, shifted, zero);
    p.trapOverflow(e.ori(e.ne(e.shrs(shifted, safe), a), e.andi(e.invert(inRange), e.ne(a, zero))),
                   bits);
    return shifted;
}

Value emitInt(const PyOperation &p, unsigned bits) {
    Emit &e = p.e;
    const bool isShift = p.op == "lshift" || p.op == "rshift";
    const Value a = p.asInt(0, bits);
    if (isShift)
        return intShift(p, a, p.op == "lshift");
    if (p.op == "pow")
        return intPower(p, a);
    if (p.op == "invert")
        return e.invert(a);
    if (p.op == "neg" || p.op == "abs") {
        p.trapOverflow(e.eq(a, smallest(e, a.getType())), bits);
        return p.op == "neg" ? e.neg(a) : e.abs(a);
    }
    if (p.size() < 2)
        return a; // pos, int, round, widen
    const Value b = p.asInt(1, bits);
    if (p.op == "add")
        return intWrapping<mlir::LLVM::SAddWithOverflowOp>(p, a, b, e.add(a, b));
    if (p.op == "sub")
        return intWrapping<mlir::LLVM::SSubWithOverflowOp>(p, a, b, e.sub(a, b));
    if (p.op == "mul")
        return intWrapping<mlir::LLVM::SMulWithOverflowOp>(p, a, b, e.mul(a, b));
    if (p.op == "floordiv")
        return intDivision(p, a, b, "integer division or modulo by zero", true).quotient;
    if (p.op == "mod")
        return intDivision(p, a, b, "integer modulo by zero", false).remainder;
    if (p.op == "and")
        return e.andi(a, b);
    return p.op == "or" ? e.ori(a, b) : e.xori(a, b);
}

Value low(Emit &e, Value wide) { return e.narrow(wide, 64); }
Value high(Emit &e, Value wide) { return e.narrow(e.shru(wide, e.like(wide, 64)), 64); }

// An operand of 128 bits in 64.
Value narrowed(const PyOperation &p) {
    Emit &e = p.e;
    const Value a = p.asInt(0, 128), bits = low(e, a);
    if (p.op == "low_word" || p.op == "high_word")
        return p.op == "low_word" ? bits : high(e, a);
    const bool isUnsigned = p.op == "uint64";
    p.trap(e.ne(e.extend(bits, 128, !isUnsigned), a), "OverflowError",
           isUnsigned ? "Python integer out of bounds for uint64"
                      : "Python int result does not fit in 64 bits");
    return bits;
}

} // namespace

Value emitInt(const PyOperation &p) {
    if (!llvm::is_contained(p.kinds, PyKind::WideInt))
        return emitInt(p, 64);
    return p.op == "mod" || p.op == "and" ? low(p.e, emitInt(p, 128)) : narrowed(p);
}

Scalar emitWideInt(const PyOperation &p) {
    if (p.op == "of_words")
        return {p.asInt(0), p.asInt(1)};
    const Value wide = emitInt(p, 128);
    return {low(p.e, wide), high(p.e, wide)};
}

Scalar partsOfWideInt(Emit &e, Value wide) { return {low(e, wide), high(e, wide)}; }

// int / int is correctly rounded: float division if both are exact as floats, else in the runtime.
Value emitIntQuotient(const PyOperation &p) {
    Emit &e = p.e;
    const mlir::Type f64 = e.builder.getF64Type();
    if (llvm::is_contained(p.kinds, PyKind::WideInt)) {
        const Value a = p.asInt(0, 128), b = p.asInt(1, 128);
        p.trap(e.isZero(b), "ZeroDivisionError", "division by zero");
        return e.call("sc_py_wide_truediv", f64, {low(e, a), high(e, a), low(e, b), high(e, b)});
    }
    const Value a = p.asInt(0), b = p.asInt(1);
    p.trap(e.isZero(b), "ZeroDivisionError", "division by zero");
    const Value limit = e.integer(a.getType(), int64_t(1) << 53), span = e.add(limit, limit);
    const auto exact = [&](Value v) { return e.le(e.add(v, limit), span, /*isUnsigned=*/true); };
    const auto fast = [&] { return e.div(e.toFloat(a, f64, true), e.toFloat(b, f64, true)); };
    const Value both = e.andi(exact(a), exact(b));
    if (mlir::matchPattern(both, mlir::m_One()))
        return fast();
    auto branch = mlir::scf::IfOp::create(e.builder, e.loc, f64, both, /*withElseRegion=*/true);
    mlir::OpBuilder::InsertionGuard guard(e.builder);
    e.builder.setInsertionPointToStart(branch.thenBlock());
    mlir::scf::YieldOp::create(e.builder, e.loc, fast());
    e.builder.setInsertionPointToStart(branch.elseBlock());
    mlir::scf::YieldOp::create(e.builder, e.loc, e.call("sc_py_truediv", f64, {a, b}));
    return branch.getResult(0);
}

// round(int, digits)
Value emitRoundedInt(const PyOperation &p) {
    Emit &e = p.e;
    const Value a = p.asInt(0), digits = p.asInt(1);
    p.trapOverflow(
        e.invert(e.isZero(e.call("sc_py_round_int_overflows", e.integerType(32), {a, digits}))));
    return e.call("sc_py_round_int", e.integerType(64), {a, digits});
}

} // namespace shapecast
