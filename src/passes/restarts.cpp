// In program order; a loop's body comes before itself too: see the header.
#include "passes/restarts.h"
#include "ir/restart.h"
#include "passes/points_to.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool isSeenOutside(Operation *op, FuncOp func, const PointsTo &pointsTo) {
    if (isa<PrintOp, CallOp>(op))
        return true;
    return llvm::any_of(arraysWrittenBy(op), [&](Value target) {
        return llvm::any_of(func.getBody().getArguments(), [&](Value argument) {
            return isa<ArrayType>(argument.getType()) && !pointsTo.disjoint(target, argument, op);
        });
    });
}

void shapecast::markRestarts(FuncOp func) {
    SmallVector<RequireOp> places;
    func.walk([&](RequireOp op) {
        if (op.getError() == restartError)
            places.push_back(op);
    });
    if (places.empty())
        return;
    const PointsTo pointsTo(func);
    SmallVector<Operation *> effects;
    llvm::DenseSet<Operation *> late; // loops that do what is seen, and places behind that
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto place = dyn_cast<RequireOp>(op); place && !effects.empty())
            late.insert(op);
        if (!isSeenOutside(op, func, pointsTo))
            return;
        effects.push_back(op);
        for (Operation *loop = op->getParentOp(); loop != func; loop = loop->getParentOp())
            if (isa<ForOp, WhileOp>(loop))
                late.insert(loop);
    });
    for (RequireOp place : places) {
        bool isLate = late.contains(place);
        for (Operation *loop = place->getParentOp(); loop != func; loop = loop->getParentOp())
            isLate |= late.contains(loop);
        if (isLate)
            place.setError(lateRestartError);
    }
}
