// np-lifetime: one walk over the blocks, no dataflow: structured code shows all uses of a value
// below its block.
#include "passes/lifetime.h"

#include "ir/np.h"
#include "passes/passes.h"
#include "passes/points_to.h"

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

// Of the entry: its caller counts no owners. A recursive function's arguments may be buffers.
bool isBorrowedArgument(Value handle) {
    auto argument = dyn_cast<BlockArgument>(ownerOf(handle));
    Operation *function = argument ? argument.getOwner()->getParentOp() : nullptr;
    return isa_and_nonnull<np::FuncOp>(function) && !function->hasAttr("recursive");
}

struct Owned {
    Operation *lastUse = nullptr; // in the owner's block; null: never used
    bool handedOn = false;
};

class BlockLifetimes {
public:
    using Given = llvm::DenseMap<Block *, SmallVector<Value>>; // owners that a branch is handed
    BlockLifetimes(Block &block, Given &given) : block(block), given(given) {}
    void run();

private:
    void collect();
    void handToBranches();
    void add(Value handle);
    void findLastUse(Value handle, Owned &owned);
    void takeOwners(Operation *op, OperandRange taken);
    void insertReleases();

    Block &block;
    Given &given;
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
    // np.test hands nothing on: in a condition the carried values are borrowed from the body.
    auto loop = dyn_cast<np::WhileOp>(parent);
    bool condition = loop && block.getParent() == &loop.getBefore();
    if (isa<np::ForOp, np::WhileOp>(parent) && !condition)
        for (Value argument : block.getArguments())
            add(argument);
    for (Operation &op : block)
        if (isa<np::AllocOp, np::MaterializeOp, np::ReshapeAnyOp, np::CallOp, np::IfOp, np::ForOp,
                np::WhileOp>(op))
            for (Value result : op.getResults())
                add(result);
    for (Value handle : given.lookup(&block))
        add(handle);
}

// Does a branch, or one in it, end by giving the handle's memory on?
bool yieldsOwner(np::IfOp branch, Value handle) {
    WalkResult found = branch->walk([&](np::YieldOp yield) {
        const bool gives = llvm::any_of(yield->getOperands(), [&](Value yielded) {
            return isHandle(yielded) && ownerOf(yielded) == handle;
        });
        return gives ? WalkResult::interrupt() : WalkResult::advance();
    });
    return found.wasInterrupted();
}

// What an if uses last, and one of its branches gives on, belongs to both from there: `x = f(x) if
// c else x` in a loop counts no owners.
void BlockLifetimes::handToBranches() {
    for (auto &[handle, owned] : owners) {
        auto branch = dyn_cast_or_null<np::IfOp>(owned.lastUse);
        if (!branch || owned.handedOn)
            continue;
        const bool everyBranch =
            llvm::none_of(branch->getRegions(), [](Region &region) { return region.empty(); });
        if (!everyBranch || !yieldsOwner(branch, handle))
            continue;
        owned.handedOn = true;
        for (Region &region : branch->getRegions())
            given[&region.front()].push_back(handle);
    }
}

void BlockLifetimes::findLastUse(Value handle, Owned &owned) {
    SmallVector<Value> borrowed{handle};
    while (!borrowed.empty()) {
        Value value = borrowed.pop_back_val();
        for (Operation *user : value.getUsers()) {
            Operation *here = block.findAncestorOpInBlock(*user); // null: before this branch
            if (here && (!owned.lastUse || owned.lastUse->isBeforeInBlock(here)))
                owned.lastUse = here;
            if (borrowedFrom(user))
                borrowed.push_back(user->getResult(0));
        }
    }
}

// Operands that become owners elsewhere: an owner of this block that ends here is handed on, others
// are retained.
void BlockLifetimes::takeOwners(Operation *op, OperandRange taken) {
    OpBuilder builder(op);
    llvm::SmallPtrSet<Value, 4> usedInside;
    for (Region &region : op->getRegions())
        region.walk([&](Operation *inner) {
            for (Value operand : inner->getOperands())
                if (isHandle(operand))
                    usedInside.insert(ownerOf(operand));
        });
    for (Value handle : taken) {
        if (!isHandle(handle) || isBorrowedArgument(handle))
            continue;
        Value owner = ownerOf(handle);
        auto *known = owners.find(owner);
        bool ends = known != owners.end() && known->second.lastUse == op &&
                    !known->second.handedOn && !usedInside.contains(owner);
        if (ends)
            known->second.handedOn = true;
        else
            np::RetainOp::create(builder, op->getLoc(), handle);
    }
}

void BlockLifetimes::insertReleases() {
    for (auto &[handle, owned] : owners) {
        if (owned.handedOn)
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
    SmallVector<Operation *> takers;
    for (Operation &op : block)
        if (isa<np::ForOp, np::WhileOp, np::YieldOp, np::NextOp, np::ReturnOp>(op))
            takers.push_back(&op);
    for (Operation *op : takers)
        takeOwners(op, op->getOperands());
    handToBranches();
    insertReleases();
}

struct Lifetime : PassWrapper<Lifetime, OperationPass<ModuleOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Lifetime)
    StringRef getArgument() const final { return "np-lifetime"; }
    StringRef getDescription() const final { return "retains and releases of buffers"; }
    void runOnOperation() final {
        SmallVector<Block *> blocks; // the outer ones first: they hand owners to branches
        getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
            if (isa<np::FuncOp, np::IfOp, np::ForOp, np::WhileOp>(op))
                for (Region &region : op->getRegions())
                    for (Block &block : region)
                        blocks.push_back(&block);
        });
        BlockLifetimes::Given given;
        for (Block *block : blocks)
            BlockLifetimes(*block, given).run();
    }
};

} // namespace

std::unique_ptr<Pass> createLifetime() { return std::make_unique<Lifetime>(); }

} // namespace shapecast
