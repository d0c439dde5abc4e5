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

constexpr int mostFlopsAgain = 16; // per element, over all windows of one array

// Flops of one element of the expression, counted as a tree; none if it is not made of operations
// that a window can be pushed through.
std::optional<int> treeCost(Value value) {
    Operation *op = value.getDefiningOp();
    if (isa<ReadOp, SplatOp>(op))
        return 0;
    if (!isa<UfuncOp, CastOp, BroadcastOp>(op))
        return std::nullopt;
    int cost = elementCost(op);
    for (Value operand : op->getOperands()) {
        if (!isa<RankedTensorType>(operand.getType()))
            continue;
        std::optional<int> inner = treeCost(operand);
        if (!inner || (cost += *inner) > cheapCost)
            return std::nullopt;
    }
    return cost;
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

bool pushReads(MaterializeOp array, const PointsTo &pointsTo) {
    SmallVector<ReadOp> reads;
    if (!onlyReadInParts(array, reads) || reads.empty())
        return false;
    std::optional<int> cost = treeCost(array.getValue());
    if (!cost || *cost * static_cast<int>(reads.size()) > mostFlopsAgain)
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
