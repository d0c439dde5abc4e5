#include "lower/nest/nest_context.h"

using namespace mlir;

namespace shapecast {

np::ConstOp underlyingConstant(Value value) {
    if (auto cast = value.getDefiningOp<np::CastOp>())
        value = cast.getOperand();
    return value.getDefiningOp<np::ConstOp>();
}

SmallVector<Value> outsideScalars(np::NestOp op) {
    SmallVector<Value> values;
    llvm::DenseSet<Value> seen;
    op.getBody().walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
            if (operand.getParentRegion() != &op.getBody() && !underlyingConstant(operand) &&
                np::isScalar(operand.getType()) && seen.insert(operand).second)
                values.push_back(operand);
    });
    return values;
}

void emitOutsideConstants(OpBuilder &builder, np::NestOp op, NestContext env) {
    auto emit = [&](Operation *made) {
        if (made && made->getParentRegion() != &op.getBody())
            emitScalarOp(builder, made, {env.dims, env.scalars, nullptr});
    };
    op.getBody().walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
            if (np::ConstOp constant = underlyingConstant(operand)) {
                emit(constant);
                if (operand.getDefiningOp() != constant)
                    emit(operand.getDefiningOp());
            }
    });
}

} // namespace shapecast
