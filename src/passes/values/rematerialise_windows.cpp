// See rematerialise_windows.h.
#include "passes/values/rematerialise_windows.h"

#include "passes/analysis/clobbers.h"
#include "passes/values/simplify.h"
#include "passes/values/subarrays.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// Per element of one array: over all of its windows; and of a value that costs more than
// `maxRematerialisationCost`, in two windows (of five flops, three windows take 1.15 x the time of
// a stored array, two 0.75 x, and three that differ only in their rows 0.71 x: measured).
constexpr int maxRecomputedFlops = 16, maxFlopsInTwoWindows = 6;

// Adds the flops of one element of the expression; false if it is not made of operations that a
// window can be pushed through, or of too many.
bool addCost(Value value, llvm::SmallDenseSet<Operation *> &seen, int &cost) {
    Operation *op = value.getDefiningOp();
    if (isa<ReadOp, SplatOp>(op) || !seen.insert(op).second)
        return true;
    if (!isa<UfuncOp, CastOp, BroadcastOp>(op) || (cost += elementCost(op)) > maxFlopsInTwoWindows)
        return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) {
        return !isa<RankedTensorType>(operand.getType()) || addCost(operand, seen, cost);
    });
}

// Collects the reads of views of the array; false if it has other uses.
bool onlyReadThroughViews(Value handle, SmallVectorImpl<ReadOp> &reads) {
    return llvm::all_of(handle.getUsers(), [&](Operation *user) {
        if (isa<ViewOp>(user))
            return onlyReadThroughViews(user->getResult(0), reads);
        auto read = dyn_cast<ReadOp>(user);
        if (read)
            reads.push_back(read);
        return static_cast<bool>(read);
    });
}

// Windows that begin at the same column: unroll-and-jam of the rows computes common rows once
// (lower/nest/nest_jam.cpp).
bool differOnlyInRows(ArrayRef<ReadOp> reads, const PointsTo &pointsTo) {
    const Window first = pointsTo.window(reads.front()->getOperand(0));
    return first.axis.size() > 1 && llvm::all_of(reads, [&](ReadOp read) {
               const Window window = pointsTo.window(read->getOperand(0));
               return window.root == first.root && window.axis == first.axis &&
                      window.axis.back() >= 0 && window.offset.back() == first.offset.back() &&
                      window.step == first.step;
           });
}

bool rematerialiseReads(MaterializeOp array, const PointsTo &pointsTo) {
    SmallVector<ReadOp> reads;
    if (!onlyReadThroughViews(array, reads) || reads.empty())
        return false;
    llvm::SmallDenseSet<Operation *> seen;
    int cost = 0;
    if (!addCost(array.getValue(), seen, cost) ||
        cost * static_cast<int>(reads.size()) > maxRecomputedFlops ||
        (cost > maxRematerialisationCost && reads.size() > 2 && !differOnlyInRows(reads, pointsTo)))
        return false;
    SmallVector<Value> parts;
    for (ReadOp read : reads) {
        if (crossesLoop(array, read))
            return false;
        auto type = cast<ArrayType>(read.getBase().getType());
        Subarray part = subarrayOf(pointsTo.window(read.getBase()), type);
        parts.push_back(SubarrayBuilder(read, pointsTo).subarray(array.getValue(), part));
        if (!parts.back())
            return false;
    }
    for (auto [read, part] : llvm::zip(reads, parts)) {
        read.replaceAllUsesWith(part);
        read->erase();
    }
    pointsTo.forgetFacts();
    return true;
}

} // namespace

void shapecast::rematerialiseWindows(FuncOp func) {
    PointsTo pointsTo(func);
    SmallVector<MaterializeOp> arrays;
    func->walk([&](MaterializeOp array) { arrays.push_back(array); });
    bool changed = false;
    for (MaterializeOp array : arrays) // in program order: the result may be pushed again
        changed |= rematerialiseReads(array, pointsTo);
    if (changed)
        simplify(func);
}
