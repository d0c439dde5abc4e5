// Chooses the copy for reshapes where a view cannot be told from it: see the header.
#include "passes/reshapes.h"

#include "passes/motion.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// Is the handle written, handed on, or read after a write to the base?
bool observed(Value handle, ReshapeAnyOp reshape, const PointsTo &pointsTo) {
    return llvm::any_of(handle.getUsers(), [&](Operation *user) {
        if (isa<CheckWriteableOp>(user))
            return true;
        if (mayShareWith(user))
            return observed(user->getResult(0), reshape, pointsTo);
        return !isa<ReadOp, LoadOp, MatmulOp, PrintOp>(user) ||
               writtenBetween(reshape.getBase(), reshape, user, pointsTo);
    });
}

// The contiguous array that takes the place of the result. Views of it keep their wider types.
Value contiguous(ReshapeAnyOp op) {
    OpBuilder builder(op);
    auto from = cast<ArrayType>(op.getBase().getType()), to = op.getType();
    Value base = op.getBase();
    if (from.getLayout() != Layout::C) { // C: the result of another reshape that was settled
        Value value = ReadOp::create(builder, op.getLoc(), base);
        base = MaterializeOp::create(builder, op.getLoc(), value);
    }
    return from.getDims() == to.getDims()
               ? base
               : ReshapeOp::create(builder, op.getLoc(), base, to.getDims(), Layout::C).getResult();
}

} // namespace

void shapecast::settleReshapes(FuncOp func) {
    SmallVector<ReshapeAnyOp> reshapes;
    func->walk([&](ReshapeAnyOp op) { reshapes.push_back(op); });
    if (reshapes.empty())
        return;
    PointsTo pointsTo(func);
    SmallVector<ReshapeAnyOp> settled; // erased at the end: the analysis knows them by address
    for (ReshapeAnyOp op : reshapes) {
        if (observed(op, op, pointsTo))
            continue;
        op.getResult().replaceAllUsesWith(contiguous(op));
        settled.push_back(op);
    }
    for (ReshapeAnyOp op : settled)
        op->erase();
}
