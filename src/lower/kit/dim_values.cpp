// Code for symbolic expressions: i64 arithmetic, each expression computed once per scope.
#include "lower/kit/dim_values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;
using np::DimKind;

DimAttr DimValues::fresh(Value value, StringRef what) {
    DimAttr symbol = np::dimSymbol(value.getContext(), ("$" + what + Twine(counter++)).str());
    bind(symbol, value);
    return symbol;
}

Value DimValues::constant(OpBuilder &builder, Location loc, int64_t value) {
    return emit(builder, loc, np::dimConst(builder.getContext(), value));
}

Value DimValues::emit(OpBuilder &builder, Location loc, DimAttr expr) {
    if (Value known = table.lookup(expr))
        return known;
    Value value = compute(builder, loc, expr);
    table.insert(expr, value);
    return value;
}

Value emitFloorDiv(OpBuilder &builder, Location loc, Value a, Value b) {
    auto constant = b.getDefiningOp<arith::ConstantIntOp>();
    if (constant && constant.value() > 0 && llvm::isPowerOf2_64(constant.value())) {
        Value shift =
            arith::ConstantIntOp::create(builder, loc, llvm::Log2_64(constant.value()), 64);
        return arith::ShRSIOp::create(builder, loc, a, shift);
    }
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
    Value quotient = arith::DivSIOp::create(builder, loc, a, b);
    Value rest = arith::RemSIOp::create(builder, loc, a, b);
    Value inexact = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, rest, zero);
    Value signs = arith::XOrIOp::create(builder, loc, rest, b);
    Value differ = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, signs, zero);
    Value adjust = arith::AndIOp::create(builder, loc, inexact, differ);
    Value minusOne = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), adjust);
    return arith::AddIOp::create(builder, loc, quotient, minusOne);
}

Value emitFloorMod(OpBuilder &builder, Location loc, Value a, Value b) {
    auto constant = b.getDefiningOp<arith::ConstantIntOp>();
    if (constant && constant.value() > 0 && llvm::isPowerOf2_64(constant.value())) {
        Value mask = arith::ConstantIntOp::create(builder, loc, constant.value() - 1, 64);
        return arith::AndIOp::create(builder, loc, a, mask);
    }
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
    Value rest = arith::RemSIOp::create(builder, loc, a, b);
    Value inexact = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, rest, zero);
    Value signs = arith::XOrIOp::create(builder, loc, rest, b);
    Value differ = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, signs, zero);
    Value adjust = arith::AndIOp::create(builder, loc, inexact, differ);
    Value plus = arith::AddIOp::create(builder, loc, rest, b);
    return arith::SelectOp::create(builder, loc, adjust, plus, rest);
}

// np.all_hold evaluates relations before the check that a divisor is not 0: division by 0 must not
// trap there, and the relation's value is ignored then.
static Value divisor(OpBuilder &builder, Location loc, Value b) {
    if (b.getDefiningOp<arith::ConstantIntOp>())
        return b;
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
    Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, b, zero);
    return arith::SelectOp::create(builder, loc, isZero, one, b);
}

template <class Op>
static Value checked(OpBuilder &builder, Location loc, Value a, Value b, Value &overflows) {
    auto pair = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                 {builder.getI64Type(), builder.getI1Type()});
    Value both = Op::create(builder, loc, pair, a, b);
    Value over = LLVM::ExtractValueOp::create(builder, loc, both, 1);
    overflows = overflows ? arith::OrIOp::create(builder, loc, overflows, over).getResult() : over;
    return LLVM::ExtractValueOp::create(builder, loc, both, 0);
}

// Sums and products, operation by operation with a check for overflow.
Value DimValues::emitChecked(OpBuilder &builder, Location loc, DimAttr expr, Value &overflows) {
    const bool isProduct = expr.getKind() == DimKind::Product;
    if (expr.isConst() || expr.getKind() == DimKind::Symbol)
        return emit(builder, loc, expr);
    SmallVector<Value> operands;
    for (DimAttr operand : expr.getOperands())
        operands.push_back(emitChecked(builder, loc, operand, overflows));
    if (!isProduct && expr.getKind() != DimKind::Sum)
        return emit(builder, loc, expr);
    if (expr.getValue() != (isProduct ? 1 : 0))
        operands.push_back(constant(builder, loc, expr.getValue()));
    Value result = operands.front();
    for (Value operand : llvm::drop_begin(operands))
        result = isProduct
                     ? checked<LLVM::SMulWithOverflowOp>(builder, loc, result, operand, overflows)
                     : checked<LLVM::SAddWithOverflowOp>(builder, loc, result, operand, overflows);
    return result;
}

// Not as one expression: expanded, 8 * t1 - 8 * t0 may overflow where t1 - t0 is small.
Value DimValues::emitCheckedProduct(OpBuilder &builder, Location loc, ArrayRef<DimAttr> factors,
                                    Value &overflows) {
    Value product;
    for (DimAttr factor : factors) {
        Value value = emitChecked(builder, loc, factor, overflows);
        product = product
                      ? checked<LLVM::SMulWithOverflowOp>(builder, loc, product, value, overflows)
                      : value;
    }
    return product;
}

Value DimValues::compute(OpBuilder &builder, Location loc, DimAttr expr) {
    auto sub = [&](unsigned i) { return emit(builder, loc, expr.getOperands()[i]); };
    switch (expr.getKind()) {
    case DimKind::Const:
        return arith::ConstantIntOp::create(builder, loc, expr.getValue(), 64);
    case DimKind::Symbol:
        emitError(loc) << "internal error: symbol " << expr.getName() << " is not bound here";
        unbound = true;
        return arith::ConstantIntOp::create(builder, loc, 0, 64);
    case DimKind::Sum: {
        Value sum;
        for (DimAttr operand : expr.getOperands()) {
            Value value = emit(builder, loc, operand);
            sum = sum ? arith::AddIOp::create(builder, loc, sum, value).getResult() : value;
        }
        if (expr.getValue() == 0)
            return sum;
        return arith::AddIOp::create(builder, loc, sum, constant(builder, loc, expr.getValue()));
    }
    case DimKind::Product: {
        Value product = expr.getValue() == 1 ? Value() : constant(builder, loc, expr.getValue());
        for (DimAttr operand : expr.getOperands()) {
            Value value = emit(builder, loc, operand);
            product =
                product ? arith::MulIOp::create(builder, loc, product, value).getResult() : value;
        }
        return product;
    }
    case DimKind::FloorDiv:
        return emitFloorDiv(builder, loc, sub(0), divisor(builder, loc, sub(1)));
    case DimKind::Mod:
        return emitFloorMod(builder, loc, sub(0), divisor(builder, loc, sub(1)));
    case DimKind::Min:
    case DimKind::Max: {
        Value result = sub(0);
        for (unsigned i = 1; i < expr.getOperands().size(); ++i)
            result = expr.getKind() == DimKind::Min
                         ? arith::MinSIOp::create(builder, loc, result, sub(i)).getResult()
                         : arith::MaxSIOp::create(builder, loc, result, sub(i)).getResult();
        return result;
    }
    case DimKind::Bcast: {
        Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, sub(0),
                                           constant(builder, loc, 1));
        return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), more);
    }
    case DimKind::Broadcast: { // the first operand that is not 1, else the last one
        Value result = sub(expr.getOperands().size() - 1);
        for (size_t i = expr.getOperands().size() - 1; i-- > 0;) {
            Value operand = sub(i);
            Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, operand,
                                                constant(builder, loc, 1));
            result = arith::SelectOp::create(builder, loc, isOne, result, operand);
        }
        return result;
    }
    case DimKind::Wrap: {
        Value index = sub(0);
        Value negative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index,
                                               constant(builder, loc, 0));
        Value wrapped = arith::AddIOp::create(builder, loc, index, sub(1));
        return arith::SelectOp::create(builder, loc, negative, wrapped, index);
    }
    }
    llvm_unreachable("all kinds of expressions are handled");
}

} // namespace shapecast
