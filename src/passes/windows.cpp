// Windows of cheap values are computed, not stored and read: a part of np-promote.
//
//     d = a[1:] - a[:-1]                     array d is never made:
//     return d[1:] + d[:-1]       ->         return (a[2:] - a[1:-1]) + (a[1:-1] - a[:-2])
//
// A view of an expression is the same expression over views of its operands. The elements in which
// windows overlap are computed again; that costs a few flops, where an array costs a trip to
// memory.
#include "passes/promote.h"

#include "passes/motion.h"
#include "passes/part_values.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// Per element of one array: over all of its windows; and what is not quite cheap in two of them
// (three of five flops are 1.15 x the time of a stored array, two 0.75 x: measured; three rows of
// each other 0.71 x).
constexpr int mostFlopsAgain = 16, mostFlopsTwice = 6;

// Adds the flops of one element of the expression; false if it is not made of operations that a
// window can be pushed through, or of too many.
bool addCost(Value value, llvm::SmallDenseSet<Operation *> &seen, int &cost) {
    Operation *op = value.getDefiningOp();
    if (isa<ReadOp, SplatOp>(op) || !seen.insert(op).second)
        return true;
    if (!isa<UfuncOp, CastOp, BroadcastOp>(op) || (cost += elementCost(op)) > mostFlopsTwice)
        return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) {
        return !isa<RankedTensorType>(operand.getType()) || addCost(operand, seen, cost);
    });
}

// Reads of views of the array, if nothing else is done with it.
bool onlyReadInParts(Value handle, SmallVectorImpl<ReadOp> &reads) {
    return llvm::all_of(handle.getUsers(), [&](Operation *user) {
        if (isa<ViewOp>(user))
            return onlyReadInParts(user->getResult(0), reads);
        auto read = dyn_cast<ReadOp>(user);
        if (read)
            reads.push_back(read);
        return static_cast<bool>(read);
    });
}

// Windows that begin at the same column: where rows are taken several at a time, what they have in
// common is computed once (lower/nest_rows.cpp).
bool areRowsApart(ArrayRef<ReadOp> reads, const PointsTo &pointsTo) {
    const Window first = pointsTo.window(reads.front()->getOperand(0));
    return first.axis.size() > 1 && llvm::all_of(reads, [&](ReadOp read) {
               const Window window = pointsTo.window(read->getOperand(0));
               return window.root == first.root && window.axis == first.axis &&
                      window.axis.back() >= 0 && window.offset.back() == first.offset.back() &&
                      window.step == first.step;
           });
}

bool pushReads(MaterializeOp array, const PointsTo &pointsTo) {
    SmallVector<ReadOp> reads;
    if (!onlyReadInParts(array, reads) || reads.empty())
        return false;
    llvm::SmallDenseSet<Operation *> seen;
    int cost = 0;
    if (!addCost(array.getValue(), seen, cost) ||
        cost * static_cast<int>(reads.size()) > mostFlopsAgain ||
        (cost > cheapCost && reads.size() > 2 && !areRowsApart(reads, pointsTo)))
        return false;
    SmallVector<Value> parts;
    for (ReadOp read : reads) {
        if (crossesLoop(array, read))
            return false;
        auto type = cast<ArrayType>(read.getBase().getType());
        Part part = partOf(pointsTo.window(read.getBase()), type);
        parts.push_back(PartBuilder(read, pointsTo).part(array.getValue(), part));
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

bool shapecast::pushWindows(FuncOp func) {
    PointsTo pointsTo(func);
    SmallVector<MaterializeOp> arrays;
    func->walk([&](MaterializeOp array) { arrays.push_back(array); });
    bool changed = false;
    for (MaterializeOp array : arrays) // in program order: what is pushed may be pushed again
        changed |= pushReads(array, pointsTo);
    return changed;
}
