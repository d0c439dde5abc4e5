// Operations of integers in 128 bits, between operands and a result in 64: np-wide-integers
// (passes/values/wide_integers.h) makes them of expressions such as `(a * x + c) % m`.
#include "ops/python/python_emit.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace shapecast {

using mlir::Value;

namespace {

Value asWide(const PyOperation &p, size_t i) {
    const Value given = p.operands[i].re;
    return given.getType().isInteger(128) ? given : p.e.extend(p.asInt(i), 128, true);
}

Value low(Emit &e, Value wide) {
    return wide.getType().isInteger(128)
               ? Value(mlir::arith::TruncIOp::create(e.builder, e.loc, e.integerType(64), wide))
               : wide;
}

Value fits(Emit &e, Value wide) { return e.eq(e.extend(low(e, wide), 128, true), wide); }

template <class Op> Value checked(const PyOperation &p, Value a, Value b) {
    Emit &e = p.e;
    const auto pair = mlir::LLVM::LLVMStructType::getLiteral(
        e.builder.getContext(), {e.integerType(128), e.integerType(1)});
    const Value both = Op::create(e.builder, e.loc, pair, a, b);
    p.trap(mlir::LLVM::ExtractValueOp::create(e.builder, e.loc, both, 1), "OverflowError",
           "Python int result does not fit in 128 bits");
    return mlir::LLVM::ExtractValueOp::create(e.builder, e.loc, both, 0);
}

// Floor division or remainder: in 64 bits where that is enough, else in the run time.
Value divided(const PyOperation &p, bool wantsQuotient) {
    Emit &e = p.e;
    const Value a = asWide(p, 0), b = p.asInt(1);
    const Value byZero = e.isZero(b);
    p.trap(byZero, "ZeroDivisionError",
           wantsQuotient ? "integer division or modulo by zero" : "integer modulo by zero");
    const Value divisor = e.select(byZero, e.like(b, 1), b);
    // -2**63 // -1 does not fit either.
    const Value isSmall = e.andi(fits(e, a), e.ne(divisor, e.like(b, -1)));
    const mlir::Type types[] = {e.integerType(64), e.integerType(1)};
    auto branch = mlir::scf::IfOp::create(e.builder, e.loc, types, isSmall, true);
    {
        mlir::OpBuilder::InsertionGuard guard(e.builder);
        e.builder.setInsertionPointToStart(branch.thenBlock());
        const Value x = low(e, a), safe = e.select(isSmall, divisor, e.like(b, 1));
        const Value quotient = e.divs(x, safe);
        const Value remainder = e.sub(x, e.mul(quotient, safe)), zero = e.like(x, 0);
        const Value down = e.andi(e.ne(remainder, zero), e.isNegative(e.xori(remainder, safe)));
        const Value result = wantsQuotient ? e.select(down, e.sub(quotient, e.like(x, 1)), quotient)
                                           : e.select(down, e.add(remainder, safe), remainder);
        mlir::scf::YieldOp::create(e.builder, e.loc, mlir::ValueRange{result, e.truth(false)});
        e.builder.setInsertionPointToStart(branch.elseBlock());
        const Value high = low(e, e.shrs(a, e.like(a, 64)));
        const llvm::SmallVector<Value, 3> given{low(e, a), high, divisor};
        Value far = e.call(wantsQuotient ? "sc_py_wide_floordiv" : "sc_py_wide_mod",
                           e.integerType(64), given);
        Value overflow = e.truth(false);
        if (wantsQuotient)
            overflow = e.invert(
                e.isZero(e.call("sc_py_wide_floordiv_overflows", e.integerType(32), given)));
        mlir::scf::YieldOp::create(e.builder, e.loc, mlir::ValueRange{far, overflow});
    }
    if (wantsQuotient)
        p.trap(branch.getResult(1), "OverflowError", "Python int result does not fit in 64 bits");
    return branch.getResult(0);
}

Value shiftedRight(const PyOperation &p) {
    Emit &e = p.e;
    const Value a = asWide(p, 0), count = p.asInt(1);
    p.trap(e.isNegative(count), "ValueError", "negative shift count");
    const Value inRange = e.lt(count, e.like(count, 128), /*isUnsigned=*/true);
    const Value safe = e.select(inRange, count, e.like(count, 127));
    const Value result = e.shrs(a, e.extend(safe, 128, true));
    if (p.nowrap) // an operand of another such operation
        return result;
    p.trap(e.invert(fits(e, result)), "OverflowError", "Python int result does not fit in 64 bits");
    return low(e, result);
}

} // namespace

Value emitWide(const PyOperation &p, llvm::StringRef op) {
    Emit &e = p.e;
    if (op == "mod" || op == "floordiv")
        return divided(p, op == "floordiv");
    if (op == "rshift")
        return shiftedRight(p);
    if (op == "and")
        return e.andi(
            low(e, p.operands[0].re.getType().isInteger(128) ? p.operands[0].re : p.asInt(0)),
            low(e, p.operands[1].re.getType().isInteger(128) ? p.operands[1].re : p.asInt(1)));
    const Value a = asWide(p, 0), b = asWide(p, 1);
    if (op == "lshift")
        return e.shl(a, b);
    if (op == "mul")
        return e.mul(a, b);
    if (op == "add")
        return p.nowrap ? e.add(a, b) : checked<mlir::LLVM::SAddWithOverflowOp>(p, a, b);
    return p.nowrap ? e.sub(a, b) : checked<mlir::LLVM::SSubWithOverflowOp>(p, a, b);
}

} // namespace shapecast
