// One walk in program order; in a loop, effects of the body also precede it: see the header.
#include "passes/infer/deoptimisation.h"

#include "ir/error_names.h"
#include "passes/analysis/points_to.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool hasVisibleEffect(Operation *op, FuncOp func, const PointsTo &pointsTo) {
    if (isa<PrintOp, CallOp>(op))
        return true;
    return llvm::any_of(arraysWrittenBy(op), [&](Value target) {
        return llvm::any_of(func.getBody().getArguments(), [&](Value argument) {
            return isa<ArrayType>(argument.getType()) && !pointsTo.disjoint(target, argument, op);
        });
    });
}

void shapecast::markDeoptimisations(FuncOp func) {
    SmallVector<RequireOp> checks;
    func.walk([&](RequireOp op) {
        if (op.getError() == failedAssumptionError)
            checks.push_back(op);
    });
    if (checks.empty())
        return;
    const PointsTo pointsTo(func);
    SmallVector<Operation *> effects;
    llvm::DenseSet<Operation *> late; // loops with visible effects, and checks after such effects
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto check = dyn_cast<RequireOp>(op); check && !effects.empty())
            late.insert(op);
        if (!hasVisibleEffect(op, func, pointsTo))
            return;
        effects.push_back(op);
        for (Operation *loop = op->getParentOp(); loop != func; loop = loop->getParentOp())
            if (isa<ForOp, WhileOp>(loop))
                late.insert(loop);
    });
    for (RequireOp check : checks) {
        bool isLate = late.contains(check);
        for (Operation *loop = check->getParentOp(); loop != func; loop = loop->getParentOp())
            isLate |= late.contains(loop);
        if (isLate)
            check.setError(lateFailedAssumptionError);
    }
}
