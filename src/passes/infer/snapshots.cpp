// Follows the handles of a snapshot's array through the enclosing blocks: see the header.
#include "passes/infer/snapshots.h"

#include "ir/in_memory.h"
#include "passes/analysis/points_to.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

class Snapshots {
public:
    explicit Snapshots(const PointsTo &pointsTo) : pointsTo(pointsTo) {}

    Operation *secondSnapshot = nullptr; // another snapshot of the same memory

    // The first operation after the snapshot that may write to its array.
    Operation *changedAfter(SnapshotOp snapshot) {
        change = changedInContainer(snapshot);
        addHandle(snapshot.getBase(), snapshot);
        while (!worklist.empty() && !change) {
            const auto [handle, after] = worklist.pop_back_val();
            Block *block = after ? after->getBlock() : cast<BlockArgument>(handle).getOwner();
            for (Operation *op = after ? after->getNextNode() : &block->front(); op && !change;
                 op = op->getNextNode())
                scan(op, handle);
            followOut(handle, *block);
        }
        return change;
    }

private:
    // An array that a container in memory holds, too: a store to an array that may come from there.
    Operation *changedInContainer(SnapshotOp snapshot) {
        auto func = snapshot->getParentOfType<FuncOp>();
        const bool isHeld =
            func.walk([&](SetEntryOp op) {
                    auto array = dyn_cast<ArrayType>(op.getValue().getType());
                    return array && !isHeldByAddress(array) &&
                                   !pointsTo.disjoint(op.getValue(), snapshot.getBase(), op)
                               ? WalkResult::interrupt()
                               : WalkResult::advance();
                })
                .wasInterrupted();
        Operation *store = nullptr;
        if (isHeld)
            func.walk([&](Operation *op) {
                auto call = dyn_cast<CallOp>(op);
                const bool isStore =
                    (call && reachesContainers(call)) ||
                    llvm::any_of(arraysWrittenBy(op), [&](Value target) {
                        Value root = pointsTo.memoryRoot(target);
                        return !isa_and_nonnull<AllocOp, MaterializeOp>(root.getDefiningOp());
                    });
                store = isStore && !store ? op : store;
            });
        return store;
    }

    // The handle refers to the array after that operation (null: from the start of its block).
    void addHandle(Value handle, Operation *after) {
        if (seen.insert({handle, after}).second)
            worklist.push_back({handle, after});
    }

    void scan(Operation *op, Value handle) {
        op->walk([&](Operation *inner) {
            for (Value target : arraysWrittenBy(inner))
                if (!pointsTo.disjoint(target, handle, inner))
                    change = inner;
            if (auto other = dyn_cast<SnapshotOp>(inner))
                if (!pointsTo.disjoint(other.getBase(), handle, inner))
                    secondSnapshot = inner;
            return change ? WalkResult::interrupt() : WalkResult::advance();
        });
    }

    // Adds the handles that refer to it in the next iteration, and after the loop or branch.
    void followOut(Value handle, Block &block) {
        Operation *around = block.getParentOp();
        if (!isa<ForOp, WhileOp, IfOp>(around))
            return;
        if (!isWithin(handle, around)) {
            if (!isa<IfOp>(around))
                scan(around, handle);
            return addHandle(handle, around);
        }
        followYields(handle, block);
        // A view made in the block may be of an array from outside.
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
                scan(around, base);
            addHandle(base, around);
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

    void followYields(Value handle, Block &block) {
        Operation *around = block.getParentOp(), *end = block.getTerminator();
        const bool counted = isa<ForOp>(around);
        auto next = dyn_cast<NextOp>(end);
        if (!next && !isa<YieldOp>(end))
            return;
        const ValueRange values = next ? ValueRange(next.getValues()) : end->getOperands();
        for (auto [i, value] : llvm::enumerate(values)) {
            if (!isa<ArrayType>(value.getType()) || pointsTo.disjoint(value, handle, end))
                continue;
            addHandle(around->getResult(i), around);
            if (next)
                addHandle(block.getArgument(i + counted), nullptr);
        }
    }

    const PointsTo &pointsTo;
    SmallVector<std::pair<Value, Operation *>> worklist;
    llvm::DenseSet<std::pair<Value, Operation *>> seen;
    Operation *change = nullptr;
};

} // namespace

// Whether a dynamic list of arrays is among the results.
static bool returnsLists(FuncOp func) {
    bool found = false;
    AttrTypeWalker trees;
    trees.addWalk([&](ResultCallAttr tree) { found |= tree.getElements() == "arrays"; });
    for (Attribute tree : {func.getResultAttr(), Attribute(func.getWritesAttr())})
        if (tree)
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

static SmallVector<SnapshotOp> snapshotsIn(FuncOp func) {
    SmallVector<SnapshotOp> snapshots;
    func.walk([&](SnapshotOp op) { snapshots.push_back(op); });
    return snapshots;
}

std::optional<InferError> shapecast::snapshotError(FuncOp func) {
    const SmallVector<SnapshotOp> snapshots = snapshotsIn(func);
    if (snapshots.empty())
        return std::nullopt;
    std::optional<InferError> error;
    const PointsTo pointsTo(func);
    const bool returned = returnsLists(func) || llvm::any_of(snapshots, [&](SnapshotOp snapshot) {
                              return isReturned(snapshot, pointsTo);
                          });
    for (SnapshotOp snapshot : snapshots) {
        auto refuse = [&](Operation *op, StringRef message) {
            error = InferError{op->getLoc(), "shapecast.UnsupportedError", message.str(), {}};
            if (std::optional<int64_t> site = snapshot.getSite())
                error->heapSites.push_back(unsigned(*site));
        };
        if (error)
            break;
        Snapshots following(pointsTo);
        if (Operation *change = following.changedAfter(snapshot))
            refuse(change, snapshot.getMessage());
        else if (following.secondSnapshot && returned)
            refuse(following.secondSnapshot,
                   "returning a list that grows with one array in it twice is not "
                   "supported; append copies");
        else if (returned && llvm::any_of(func.getBody().getArguments(), [&](Value argument) {
                     return isa<ArrayType>(argument.getType()) &&
                            !pointsTo.disjoint(snapshot.getBase(), argument, snapshot);
                 }))
            refuse(snapshot, "returning a list that grows, or an item of it, of arrays that are "
                             "arguments or views of them, is not supported; append copies");
    }
    return error;
}

LogicalResult shapecast::checkSnapshots(FuncOp func) {
    const std::optional<InferError> error = snapshotError(func);
    for (SnapshotOp snapshot : snapshotsIn(func))
        snapshot.erase();
    return error ? error->report() : success();
}
