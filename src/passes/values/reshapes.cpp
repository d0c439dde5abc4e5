// Chooses a copy for reshapes where it cannot be distinguished from a view: see the header.
#include "passes/values/reshapes.h"

#include "passes/analysis/clobbers.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// Whether the handle is written to, escapes, or is read after a write to the base.
bool isDistinguishable(Value handle, ReshapeAnyOp reshape, const PointsTo &pointsTo) {
    return llvm::any_of(handle.getUsers(), [&](Operation *user) {
        if (isa<CheckWriteableOp>(user))
            return true;
        if (mayShareWith(user))
            return isDistinguishable(user->getResult(0), reshape, pointsTo);
        return !isa<ReadOp, LoadOp, MatmulOp, PrintOp>(user) ||
               isClobberedBetween(reshape.getBase(), reshape, user, pointsTo);
    });
}

// The contiguous array that replaces the result. Views of it keep their more general types.
Value contiguous(ReshapeAnyOp op) {
    OpBuilder builder(op);
    auto from = cast<ArrayType>(op.getBase().getType()), to = op.getType();
    Value base = op.getBase();
    if (from.getLayout() != Layout::C) { // C: the result of another replaced reshape
        Value value = ReadOp::create(builder, op.getLoc(), base);
        base = MaterializeOp::create(builder, op.getLoc(), value);
    }
    return from.getDims() == to.getDims()
               ? base
               : ReshapeOp::create(builder, op.getLoc(), base, to.getDims(), Layout::C).getResult();
}

} // namespace

void shapecast::chooseReshapeCopies(FuncOp func) {
    SmallVector<ReshapeAnyOp> reshapes;
    func->walk([&](ReshapeAnyOp op) { reshapes.push_back(op); });
    if (reshapes.empty())
        return;
    PointsTo pointsTo(func);
    SmallVector<ReshapeAnyOp> replaced; // erased at the end: the analysis knows them by address
    for (ReshapeAnyOp op : reshapes) {
        if (isDistinguishable(op, op, pointsTo))
            continue;
        op.getResult().replaceAllUsesWith(contiguous(op));
        replaced.push_back(op);
    }
    for (ReshapeAnyOp op : replaced)
        op->erase();
}
