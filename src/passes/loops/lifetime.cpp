// np-lifetime: one walk over the blocks, no dataflow analysis: in structured code all uses of a
// value are in its block or nested in it.
#include "passes/loops/lifetime.h"

#include "ir/np.h"
#include "passes/analysis/points_to.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace shapecast {

namespace {

bool isHandle(Value value) { return isa<np::ArrayType>(value.getType()); }

// The handle that a view (of a view ...) borrows from.
Value ownerOf(Value handle) {
    while (Value base = borrowedFrom(handle.getDefiningOp()))
        handle = base;
    return handle;
}

// Of the entry: its caller counts no references. A recursive function's arguments may be buffers.
bool isBorrowedArgument(Value handle) {
    auto argument = dyn_cast<BlockArgument>(ownerOf(handle));
    auto function =
        dyn_cast_or_null<np::FuncOp>(argument ? argument.getOwner()->getParentOp() : nullptr);
    return function && !function.getRecursive();
}

// Whether references that containers hold may be dropped: then a container in one of them may end.
bool mayDropReferences(Operation *op) {
    const WalkResult found = op->walk([](Operation *inner) {
        bool drops = isa<np::CallOp>(inner);
        if (auto store = dyn_cast<np::SetEntryOp>(inner))
            drops = isHandle(store.getValue());
        if (auto native = dyn_cast<np::NativeOp>(inner))
            drops = native.getName() != "container_find" && native.getName() != "container_same";
        return drops ? WalkResult::interrupt() : WalkResult::advance();
    });
    return found.wasInterrupted();
}

// Whether it only reads or changes the container's own numbers, or reads a container that it holds.
bool usesEntries(Operation *user, Value container) {
    if (auto store = dyn_cast<np::SetEntryOp>(user))
        return store.getContainer() == container && store.getValue() != container;
    return isa<np::EntryOp, np::ContainerLengthOp>(user);
}

// A container in an entry that is used at once, while the one that holds it keeps its entries: the
// last operation of this block that uses it, or such containers in it. Null: it needs a reference
// of its own.
Operation *lastBorrowedUse(np::EntryOp entry) {
    constexpr int farthest = 200; // operations
    Operation *last = entry;
    if (!isHandle(entry))
        return nullptr;
    for (Operation *user : entry->getUsers()) {
        if (!usesEntries(user, entry))
            return nullptr;
        Operation *here = entry->getBlock()->findAncestorOpInBlock(*user);
        auto inner = dyn_cast<np::EntryOp>(user);
        if (Operation *end = inner && here == user ? lastBorrowedUse(inner) : nullptr)
            here = end;
        if (last->isBeforeInBlock(here))
            last = here;
    }
    int count = 0;
    for (Operation *op = entry->getNextNode(); op && last != entry; op = op->getNextNode()) {
        if (++count > farthest || (mayDropReferences(op) && (op != last || op->getNumRegions())))
            return nullptr;
        if (op == last)
            break;
    }
    return last;
}

struct Owned {
    Operation *lastUse = nullptr; // in the owner's block; null: never used
    bool isMoved = false;
};

class BlockLifetimes {
public:
    using MovedIn = llvm::DenseMap<Block *, SmallVector<Value>>; // owners moved into a branch
    BlockLifetimes(Block &block, MovedIn &movedIn) : block(block), movedIn(movedIn) {}
    void run();

private:
    void collect();
    void moveIntoBranches();
    void add(Value handle);
    void findLastUse(Value handle, Owned &owned);
    void consume(Operation *op, OperandRange consumed);
    void insertReleases();

    Block &block;
    MovedIn &movedIn;
    llvm::MapVector<Value, Owned> owners;
};

void BlockLifetimes::add(Value handle) {
    if (!isHandle(handle))
        return;
    Owned owned;
    findLastUse(handle, owned);
    owners[handle] = owned;
}

void BlockLifetimes::collect() {
    Operation *parent = block.getParentOp();
    // np.test consumes nothing: a condition borrows the carried values from the body.
    auto loop = dyn_cast<np::WhileOp>(parent);
    bool condition = loop && block.getParent() == &loop.getBefore();
    if (isa<np::ForOp, np::WhileOp>(parent) && !condition)
        for (Value argument : block.getArguments())
            add(argument);
    for (Operation &op : block)
        if (isa<np::AllocOp, np::MaterializeOp, np::ReshapeAnyOp, np::CallOp, np::EntryOp,
                np::TextAtOp, np::IfOp, np::ForOp, np::WhileOp>(op))
            for (Value result : op.getResults())
                if (auto entry = dyn_cast<np::EntryOp>(op); !entry || !lastBorrowedUse(entry))
                    add(result);
    for (Value handle : movedIn.lookup(&block))
        add(handle);
}

// Does a branch, or one nested in it, yield the handle's memory?
bool yieldsOwner(np::IfOp branch, Value handle) {
    WalkResult found = branch->walk([&](np::YieldOp yield) {
        const bool yields = llvm::any_of(yield->getOperands(), [&](Value yielded) {
            return isHandle(yielded) && ownerOf(yielded) == handle;
        });
        return yields ? WalkResult::interrupt() : WalkResult::advance();
    });
    return found.wasInterrupted();
}

// An owner whose last use is an if, and that a branch yields, is moved into both branches: then
// `x = f(x) if c else x` in a loop retains nothing.
void BlockLifetimes::moveIntoBranches() {
    for (auto &[handle, owned] : owners) {
        auto branch = dyn_cast_or_null<np::IfOp>(owned.lastUse);
        if (!branch || owned.isMoved)
            continue;
        const bool everyBranch =
            llvm::none_of(branch->getRegions(), [](Region &region) { return region.empty(); });
        if (!everyBranch || !yieldsOwner(branch, handle))
            continue;
        owned.isMoved = true;
        for (Region &region : branch->getRegions())
            movedIn[&region.front()].push_back(handle);
    }
}

void BlockLifetimes::findLastUse(Value handle, Owned &owned) {
    SmallVector<Value> borrowed{handle};
    while (!borrowed.empty()) {
        Value value = borrowed.pop_back_val();
        for (Operation *user : value.getUsers()) {
            Operation *here = block.findAncestorOpInBlock(*user); // null: before this branch
            auto entry = dyn_cast<np::EntryOp>(user);
            if (Operation *end = entry && here == user ? lastBorrowedUse(entry) : nullptr)
                here = end;
            if (here && (!owned.lastUse || owned.lastUse->isBeforeInBlock(here)))
                owned.lastUse = here;
            if (borrowedFrom(user))
                borrowed.push_back(user->getResult(0));
        }
    }
}

// Operands whose references are consumed: at its last use an owner of this block is moved, others
// are retained.
void BlockLifetimes::consume(Operation *op, OperandRange consumed) {
    OpBuilder builder(op);
    llvm::SmallPtrSet<Value, 4> usedInside;
    for (Region &region : op->getRegions())
        region.walk([&](Operation *inner) {
            for (Value operand : inner->getOperands())
                if (isHandle(operand))
                    usedInside.insert(ownerOf(operand));
        });
    for (Value handle : consumed) {
        if (!isHandle(handle) || isBorrowedArgument(handle))
            continue;
        Value owner = ownerOf(handle);
        auto *known = owners.find(owner);
        bool ends = known != owners.end() && known->second.lastUse == op &&
                    !known->second.isMoved && !usedInside.contains(owner);
        if (ends)
            known->second.isMoved = true;
        else
            np::RetainOp::create(builder, op->getLoc(), handle);
    }
}

void BlockLifetimes::insertReleases() {
    for (auto &[handle, owned] : owners) {
        if (owned.isMoved)
            continue;
        OpBuilder builder(handle.getContext());
        Operation *last = owned.lastUse;
        if (!last) {
            Operation *definition = handle.getDefiningOp();
            if (definition && definition->getBlock() == &block)
                builder.setInsertionPointAfter(definition);
            else
                builder.setInsertionPointToStart(&block);
        } else if (last->hasTrait<OpTrait::IsTerminator>()) {
            builder.setInsertionPoint(last);
        } else {
            builder.setInsertionPointAfter(last);
        }
        np::ReleaseOp::create(builder, handle.getLoc(), handle);
    }
}

void BlockLifetimes::run() {
    collect();
    SmallVector<Operation *> consumers;
    for (Operation &op : block)
        if (isa<np::ForOp, np::WhileOp, np::YieldOp, np::NextOp, np::ReturnOp>(op))
            consumers.push_back(&op);
    for (Operation *op : consumers)
        consume(op, op->getOperands());
    moveIntoBranches();
    insertReleases();
}

} // namespace

LogicalResult insertReleases(ModuleOp module) {
    SmallVector<Block *> blocks; // outer ones first: they move owners into branches
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (isa<np::FuncOp, np::IfOp, np::ForOp, np::WhileOp>(op))
            for (Region &region : op->getRegions())
                for (Block &block : region)
                    blocks.push_back(&block);
    });
    BlockLifetimes::MovedIn movedIn;
    for (Block *block : blocks)
        BlockLifetimes(*block, movedIn).run();
    return success();
}

} // namespace shapecast
