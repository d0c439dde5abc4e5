// Forwards values to the reads of arrays that hold them: see the header.
#include "passes/promote.h"

#include "ops/types.h"
#include "ops/ufunc.h"
#include "passes/motion.h"
#include "passes/simplify.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// The real or imaginary part of a value that only an unnamed array holds.
bool forwardPart(ReadOp read, const PointsTo &pointsTo) {
    auto part = read.getBase().getDefiningOp<PartOp>();
    auto array = part ? part.getBase().getDefiningOp<MaterializeOp>() : MaterializeOp();
    if (!array || writtenBetween(array, array, read, pointsTo))
        return false;
    OpBuilder builder(read);
    bool single = cast<ArrayType>(part.getType()).getDtype().isF32();
    auto value = UfuncOp::create(builder, read.getLoc(), part.getPart() ? "imag" : "real",
                                 ValueRange(array.getValue()), single ? "F->f" : "D->d",
                                 cast<RankedTensorType>(read.getType()).getElementType());
    read.replaceAllUsesWith(value.getResult());
    read->erase();
    return true;
}

// The bits of a value that only an unnamed array holds, as another dtype of the same size.
bool forwardBits(ReadOp read, const PointsTo &pointsTo) {
    auto view = read.getBase().getDefiningOp<ReinterpretOp>();
    auto array = view ? view.getBase().getDefiningOp<MaterializeOp>() : MaterializeOp();
    if (!array || writtenBetween(array, array, read, pointsTo))
        return false;
    OpBuilder builder(read);
    Value value = array.getValue();
    const DType from = operandType(array.getType())->dtype, to = operandType(view.getType())->dtype;
    std::optional<std::string> loop = bitsLoop(from, to);
    if (!loop)
        return false;
    Type dtype = cast<RankedTensorType>(read.getType()).getElementType();
    value = UfuncOp::create(builder, read.getLoc(), "bits", ValueRange(value), *loop, dtype);
    read.replaceAllUsesWith(value);
    read->erase();
    return true;
}

bool forwardReads(FuncOp func) {
    PointsTo pointsTo(func);
    bool changed = false;
    func->walk([&](ReadOp read) {
        if (forwardPart(read, pointsTo) || forwardBits(read, pointsTo)) {
            changed = true;
            return;
        }
        auto array = read.getBase().getDefiningOp<MaterializeOp>();
        if (!array || array.getValue().getType() != read.getType() ||
            writtenBetween(array, array, read, pointsTo))
            return;
        read.replaceAllUsesWith(array.getValue());
        read->erase();
        changed = true;
    });
    return changed;
}

// Where the operation, or the one of this block that holds it, stands relative to `place`.
bool before(Operation *op, Operation *place) {
    Operation *here = place->getBlock()->findAncestorOpInBlock(*op);
    return here && here != place && here->isBeforeInBlock(place);
}

// The user reads or stores before `place`, or is a view through which nothing else is done.
// Whatever else a handle is given to may hand it on: a diagonal of a view, a loop that carries it.
bool endsBefore(Operation *user, Operation *place) {
    return before(user, place) &&
           (isa<ReadOp, LoadOp, AssignOp, StoreOp>(user) ||
            (isa<ViewOp>(user) && llvm::all_of(user->getUsers(), [&](Operation *next) {
                 return endsBefore(next, place);
             })));
}

// A store to all of a fresh array whose old contents nobody uses any more, and of which no other
// handle exists, cannot be told from making a new array there. Nor if the array was put together
// by stores to parts of it, and is read only before: then it may not have to be made at all
// (pieces.cpp).
bool renames(AssignOp assign) {
    Operation *array = assign.getBase().getDefiningOp();
    if (!isa_and_nonnull<AllocOp, MaterializeOp>(array) || array->getBlock() != assign->getBlock())
        return false;
    return llvm::all_of(array->getUsers(), [&](Operation *user) {
        return user == assign.getOperation() || !before(user, assign) || endsBefore(user, assign);
    });
}

bool renameStores(FuncOp func) {
    SmallVector<AssignOp> assigns;
    func->walk([&](AssignOp assign) { assigns.push_back(assign); });
    bool changed = false;
    for (AssignOp assign : assigns) {
        if (!renames(assign))
            continue;
        OpBuilder builder(assign);
        Value old = assign.getBase();
        auto renamed =
            MaterializeOp::create(builder, assign.getLoc(), old.getType(), assign.getValue());
        old.replaceUsesWithIf(renamed, [&](OpOperand &use) {
            return use.getOwner() != assign && !before(use.getOwner(), assign);
        });
        assign->erase();
        if (old.use_empty())
            old.getDefiningOp()->erase();
        changed = true;
    }
    return changed;
}

struct PromoteValues : PassWrapper<PromoteValues, OperationPass<>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PromoteValues)
    StringRef getArgument() const final { return "np-promote"; }
    StringRef getDescription() const final { return "arrays that act as values become values"; }
    void runOnOperation() final {
        getOperation()->walk([](FuncOp func) {
            do {
                forwardReads(func);
                eraseDead(func);
            } while (renameStores(func));
            if (pushWindows(func))
                mergeEqual(func);
            eraseDead(func);
            if (pushPieces(func))
                mergeEqual(func);
            sumMasked(func);
            eraseDead(func);
        });
    }
};

} // namespace

std::unique_ptr<Pass> shapecast::createPromoteValues() { return std::make_unique<PromoteValues>(); }
