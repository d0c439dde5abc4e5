#include "passes/infer/kept_changes.h"

#include "passes/analysis/clobbers.h"
#include "passes/infer/returns.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Whether it may end the call by an exception, other than for lack of memory or by Ctrl-C.
static bool mayRaise(Operation *op) {
    return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && !isPureOp(op) &&
           !borrowedFrom(op) &&
           !isa<KeepChangesOp, SymbolOp, UnboundOp, LoadOp, StoreOp, ReadOp, AssignOp,
                MaterializeOp, EntryOp, SetEntryOp, AppendOp, ContainerLengthOp, SnapshotOp>(op);
}

static bool hasCallers(const TypedBuilder &e) {
    return llvm::any_of(e.cells, [](const Cell &cell) { return isCallers(cell.target); });
}

// On a device results are not stored before the kernels have ended, which here nobody waits for.
ChangesKept::ChangesKept(Inference &in) : in(in) {
    const TypedBuilder &e = in.e;
    if (!in.recursion && !e.device && hasCallers(e))
        before = llvm::map_to_vector(e.cells, [](const Cell &cell) { return cell.changes; });
}

// Adds the cells of the lists, dicts and objects in the value.
static void addCells(const TypedBuilder &e, const Val &v, llvm::DenseSet<unsigned> &cells) {
    if (v.cell && v.cell < e.cells.size() && !cells.insert(v.cell).second)
        return;
    const bool isInCell = v.cell && v.cell < e.cells.size();
    for (const Val &item : isInCell ? e.cells[v.cell].items.read() : v.items.read())
        addCells(e, item, cells);
}

// Whether something has changed of what the caller's objects hold.
static bool areChanged(const TypedBuilder &e, ArrayRef<unsigned> before) {
    auto isChanged = [&](unsigned cell) {
        return e.cells[cell].changes != (cell < before.size() ? before[cell] : 0);
    };
    bool any = false;
    for (unsigned cell = 1; cell < e.cells.size(); ++cell)
        any |= isChanged(cell);
    if (!any)
        return false;
    llvm::DenseSet<unsigned> cells;
    for (unsigned cell = 1; cell < e.cells.size(); ++cell)
        if (isCallers(e.cells[cell].target) && e.cells[cell].changes && cells.insert(cell).second)
            for (const Val &item : e.cells[cell].items.read())
                addCells(e, item, cells);
    return llvm::any_of(cells, isChanged);
}

void ChangesKept::update() const {
    TypedBuilder &e = in.e;
    if (!before.empty() && !in.unreachable && areChanged(e, before))
        keepChanges(in);
}

void shapecast::keepChanges(Inference &in) {
    TypedBuilder &e = in.e;
    llvm::SaveAndRestore builds(in.buildsResult, true), keeps(in.keepsChanges, true);
    SmallVector<Value> leaves;
    if (ArrayAttr writes = changedContents(in, leaves))
        KeepChangesOp::create(e.b, e.loc, leaves, writes, 0);
}

// Erases those of the block that nothing needs. `isNeeded`: something behind it may raise, before
// other changes are kept. Returns that of what is before the block.
static bool keepIn(Block &block, bool isNeeded) {
    auto raises = [](Operation *op) {
        return op
            ->walk([](Operation *inner) {
                return mayRaise(inner) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    };
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
        if (isa<KeepChangesOp>(op)) {
            if (!isNeeded)
                op.erase();
            isNeeded = false;
        } else if (isa<IfOp>(op)) {
            bool before = false;
            for (Region &region : op.getRegions())
                before |= region.empty() ? isNeeded : keepIn(region.front(), isNeeded);
            isNeeded = before;
        } else if (auto loop = dyn_cast<ForOp>(op); loop && loop.getPrange()) {
            isNeeded |= raises(loop); // no iteration is before another
            loop.walk([](KeepChangesOp kept) { kept.erase(); });
        } else if (isa<ForOp, WhileOp>(op)) {
            const bool after = isNeeded, inside = after || raises(&op);
            for (Region &region : op.getRegions())
                isNeeded |= keepIn(region.front(), inside);
        } else {
            isNeeded |= raises(&op);
        }
    }
    return isNeeded;
}

void shapecast::keepNeededChanges(FuncOp func) {
    keepIn(func.getBody().front(), false);
    int64_t number = 0;
    func.walk([&](KeepChangesOp op) { op.setNumber(number++); });
}
