// Store-to-load forwarding for whole arrays: see the header.
#include "passes/values/promote.h"

#include "ops/ufunc/types.h"
#include "ops/ufunc/ufunc.h"
#include "passes/analysis/clobbers.h"
#include "passes/values/simplify.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// Forwards a value through a view of its real or imaginary part.
bool forwardPart(ReadOp read, const PointsTo &pointsTo) {
    auto part = read.getBase().getDefiningOp<PartOp>();
    auto array = part ? part.getBase().getDefiningOp<MaterializeOp>() : MaterializeOp();
    if (!array || isClobberedBetween(array, array, read, pointsTo))
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

// Forwards a value through a view as another dtype of the same size.
bool forwardBits(ReadOp read, const PointsTo &pointsTo) {
    auto view = read.getBase().getDefiningOp<ReinterpretOp>();
    auto array = view ? view.getBase().getDefiningOp<MaterializeOp>() : MaterializeOp();
    if (!array || isClobberedBetween(array, array, read, pointsTo))
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
            isClobberedBetween(array, array, read, pointsTo))
            return;
        read.replaceAllUsesWith(array.getValue());
        read->erase();
        changed = true;
    });
    return changed;
}

// Whether the operation, or its ancestor in the block of `point`, precedes `point`.
bool before(Operation *op, Operation *point) {
    Operation *ancestor = point->getBlock()->findAncestorOpInBlock(*op);
    return ancestor && ancestor != point && ancestor->isBeforeInBlock(point);
}

// The user reads or stores before `point`, or is a view whose users do. Through any other user the
// handle may escape: a diagonal of a view, a loop that carries it.
bool endsBefore(Operation *user, Operation *point) {
    return before(user, point) &&
           (isa<ReadOp, LoadOp, AssignOp, StoreOp>(user) ||
            (isa<ViewOp>(user) && llvm::all_of(user->getUsers(), [&](Operation *next) {
                 return endsBefore(next, point);
             })));
}

// A store to a whole fresh array whose old contents are dead, and which has no alias, is equivalent
// to a new array there (renaming). So it is if the array was assembled by stores to windows, and is
// read only before: then the old one may be eliminated (forward_pieces.cpp).
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

} // namespace

void shapecast::promoteArrays(FuncOp func) {
    do {
        forwardReads(func);
        eraseDead(func);
    } while (renameStores(func));
}
