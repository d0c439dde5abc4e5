#include "passes/infer/intermediates.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static StringRef operatorOf(Operation *op) {
    auto inplace = dyn_cast<InplaceOp>(op);
    auto pyop = dyn_cast<PyOp>(op);
    return inplace ? inplace.getOp() : pyop ? pyop.getOp() : StringRef();
}

// Whether a product is in the expression of operators that ends here.
static bool multiplies(Operation *op) {
    const StringRef name = operatorOf(op);
    if (name == "mul" || name == "lshift")
        return true;
    return llvm::is_contained({"add", "sub", "neg"}, name) &&
           llvm::any_of(op->getOperands(), [&](Value operand) {
               Operation *inner = operand.getDefiningOp();
               return inner && inner->getBlock() == op->getBlock() && inner->hasOneUse() &&
                      multiplies(inner);
           });
}

bool shapecast::isIntermediate(Operation *op) {
    if (!multiplies(op))
        return false;
    while (op->hasOneUse()) {
        Operation *user = *op->user_begin();
        const StringRef name = operatorOf(user);
        if (user->getBlock() != op->getBlock())
            return false;
        if (name == "and" || (llvm::is_contained({"mod", "floordiv", "rshift"}, name) &&
                              user->getOperand(0) == op->getResult(0)))
            return true;
        if (!llvm::is_contained({"add", "sub", "mul", "neg", "lshift"}, name))
            return false;
        op = user;
    }
    return false;
}

// Whether it will be an int beyond 64 bits, as far as the expression of constants says. It may come
// after the operation that is inferred now: `x << 13 & (1 << 64) - 1`.
static bool isWideConstant(Inference &in, Value value) {
    if (auto known = in.env.find(value); known != in.env.end() && isWideInt(known->second.attr))
        return true;
    if (auto constant = value.getDefiningOp<ConstOp>())
        return isa<PyWideIntType>(constant.getType());
    auto op = value.getDefiningOp<PyOp>();
    if (!op || op.getOperands_().size() != 2)
        return false;
    auto number = [&](unsigned i) {
        auto constant = op.getOperands_()[i].getDefiningOp<ConstOp>();
        auto integer = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
        return integer && !isa<BoolAttr>(constant.getValue()) ? integer.getInt() : 0;
    };
    if (op.getOp() == "lshift")
        return number(0) > 0 && number(1) > 62;
    if (op.getOp() == "pow")
        return number(0) > 1 && number(1) > 62;
    return (op.getOp() == "sub" || op.getOp() == "add") && isWideConstant(in, op.getOperands_()[0]);
}

bool shapecast::isBelowWideMask(Inference &in, Operation *op) {
    while (llvm::is_contained({"add", "sub", "mul", "neg", "lshift", "or", "xor", "and", "invert"},
                              operatorOf(op)) &&
           op->hasOneUse()) {
        OpOperand &use = *op->use_begin();
        Operation *user = use.getOwner();
        const StringRef name = operatorOf(user);
        const bool keepsPart = name == "and" || (name == "mod" && use.getOperandNumber() == 0);
        if (keepsPart && isWideConstant(in, user->getOperand(1 - use.getOperandNumber())))
            return true;
        op = user;
    }
    return false;
}
