// Follows what a snapshot copied through the blocks around it: see the header.
#include "passes/snapshots.h"
#include "passes/points_to.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

class Snapshots {
public:
    explicit Snapshots(const PointsTo &pointsTo) : pointsTo(pointsTo) {}

    Operation *again = nullptr; // takes it in once more

    // The first store that changes what the handle names there.
    Operation *changedAfter(SnapshotOp snapshot) {
        hold(snapshot.getBase(), snapshot);
        while (!work.empty() && !change) {
            const auto [handle, after] = work.pop_back_val();
            Block *block = after ? after->getBlock() : cast<BlockArgument>(handle).getOwner();
            for (Operation *op = after ? after->getNextNode() : &block->front(); op && !change;
                 op = op->getNextNode())
                look(op, handle);
            leave(handle, *block);
        }
        return change;
    }

private:
    // From behind that operation on (null: from the start of its block) the handle names it.
    void hold(Value handle, Operation *after) {
        if (seen.insert({handle, after}).second)
            work.push_back({handle, after});
    }

    void look(Operation *op, Value handle) {
        op->walk([&](Operation *inner) {
            for (Value target : arraysWrittenBy(inner))
                if (!pointsTo.disjoint(target, handle, inner))
                    change = inner;
            if (auto other = dyn_cast<SnapshotOp>(inner))
                if (!pointsTo.disjoint(other.getBase(), handle, inner))
                    again = inner;
            return change ? WalkResult::interrupt() : WalkResult::advance();
        });
    }

    // What names it in the next turn, and behind the loop or branch.
    void leave(Value handle, Block &block) {
        Operation *around = block.getParentOp();
        if (!isa<ForOp, WhileOp, IfOp>(around))
            return;
        if (!isWithin(handle, around)) {
            if (!isa<IfOp>(around))
                look(around, handle);
            return hold(handle, around);
        }
        handOn(handle, block);
        // A view that the block made is of memory that it may have from outside.
        llvm::SmallSetVector<Value, 8> outside;
        around->walk([&](Operation *op) {
            for (Value used : op->getOperands())
                if (isa<ArrayType>(used.getType()) && !isWithin(used, around))
                    outside.insert(used);
        });
        for (Value base : outside) {
            if (pointsTo.disjoint(base, handle, block.getTerminator()))
                continue;
            if (!isa<IfOp>(around))
                look(around, base);
            hold(base, around);
        }
    }

    static bool isWithin(Value value, Operation *around) {
        Operation *definition = value.getDefiningOp();
        if (!definition)
            definition = cast<BlockArgument>(value).getOwner()->getParentOp();
        else if (definition == around)
            return false;
        return around->isAncestor(definition);
    }

    void handOn(Value handle, Block &block) {
        Operation *around = block.getParentOp(), *end = block.getTerminator();
        const bool counted = isa<ForOp>(around);
        auto next = dyn_cast<NextOp>(end);
        if (!next && !isa<YieldOp>(end))
            return;
        const ValueRange values = next ? ValueRange(next.getValues()) : end->getOperands();
        for (auto [i, value] : llvm::enumerate(values)) {
            if (!isa<ArrayType>(value.getType()) || pointsTo.disjoint(value, handle, end))
                continue;
            hold(around->getResult(i), around);
            if (next)
                hold(block.getArgument(i + counted), nullptr);
        }
    }

    const PointsTo &pointsTo;
    SmallVector<std::pair<Value, Operation *>> work;
    llvm::DenseSet<std::pair<Value, Operation *>> seen;
    Operation *change = nullptr;
};

} // namespace

// Whether a list that grows, with arrays in it, is among the results.
static bool returnsLists(FuncOp func) {
    bool found = false;
    AttrTypeWalker trees;
    trees.addWalk([&](DictionaryAttr tree) {
        auto callee = tree.getAs<StringAttr>("call");
        if (callee && callee.getValue() == "shapecast._objects.listed")
            found |= cast<PyAttr>(tree.getAs<ArrayAttr>("items")[0])
                         .getText()
                         .contains("\x1f"
                                   "a");
    });
    for (const char *results : {"result", "writes"})
        if (Attribute tree = func->getAttr(results))
            trees.walk(tree);
    return found;
}

static bool isReturned(SnapshotOp snapshot, const PointsTo &pointsTo) {
    bool found = false;
    snapshot->getParentOfType<FuncOp>().walk([&](ReturnOp op) {
        for (Value value : op->getOperands())
            found |= isa<ArrayType>(value.getType()) &&
                     !pointsTo.disjoint(value, snapshot.getBase(), op);
    });
    return found;
}

std::optional<InferError> shapecast::takeSnapshots(FuncOp func) {
    SmallVector<SnapshotOp> snapshots;
    func.walk([&](SnapshotOp op) { snapshots.push_back(op); });
    std::optional<InferError> error;
    auto refuse = [&](Operation *op, StringRef message) {
        error = InferError{op->getLoc(), "shapecast.UnsupportedError", message.str(), {}};
    };
    std::optional<PointsTo> pointsTo;
    if (!snapshots.empty())
        pointsTo.emplace(func);
    const bool returned = returnsLists(func) || llvm::any_of(snapshots, [&](SnapshotOp snapshot) {
                              return isReturned(snapshot, *pointsTo);
                          });
    for (SnapshotOp snapshot : snapshots) {
        if (error)
            break;
        Snapshots following(*pointsTo);
        if (Operation *change = following.changedAfter(snapshot))
            refuse(change, snapshot.getRefusal());
        else if (following.again && returned)
            refuse(following.again, "returning a list that grows with one array in it twice is not "
                                    "supported; append copies");
        else if (returned && llvm::any_of(func.getBody().getArguments(), [&](Value argument) {
                     return isa<ArrayType>(argument.getType()) &&
                            !pointsTo->disjoint(snapshot.getBase(), argument, snapshot);
                 }))
            refuse(snapshot, "returning a list that grows, or an item of it, of arrays that are "
                             "arguments or views of them, is not supported; append copies");
    }
    for (SnapshotOp snapshot : snapshots)
        snapshot.erase();
    return error;
}
