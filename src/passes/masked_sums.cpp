// Sums of what a mask picks: a part of np-promote.
//
//     x[mask].sum()      # an array is made of what is set, and summed       ->     one pass
//
// The call of the run time (runtime/masked_sum.cpp) adds in the order in which the array's elements
// would be added.
#include "passes/promote.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// The only store to the array, if it is what a mask picks of an array of the same shape, both
// contiguous, and if all else that is done with it is the one read.
static NativeOp picking(AllocOp array, ReadOp read) {
    NativeOp found;
    for (Operation *user : array->getUsers()) {
        auto native = dyn_cast<NativeOp>(user);
        if (native && native.getName() == "gather_mask" && !found && native.getOperand(0) == array)
            found = native;
        else if (user != read)
            return {};
    }
    if (!found || found->getBlock() != read->getBlock() || !found->isBeforeInBlock(read))
        return {};
    auto from = cast<ArrayType>(found.getOperand(1).getType()),
         mask = cast<ArrayType>(found.getOperand(2).getType());
    const bool lie = from.getLayout() == Layout::C && mask.getLayout() == Layout::C;
    return lie && from.getRank() == mask.getRank() && !from.getDevice() ? found : NativeOp();
}

static bool sumMasked(ReduceOp sum) {
    auto read = sum.getValue().getDefiningOp<ReadOp>();
    auto array = read ? read.getBase().getDefiningOp<AllocOp>() : AllocOp();
    Type type = sum.getResult().getType();
    if (sum.getCombine() != "add" || !array || !read->hasOneUse() || !isScalar(type) ||
        array.getType().getRank() != 1 || !(type.isF64() || type.isF32()))
        return false;
    NativeOp pick = picking(array, read);
    if (!pick)
        return false;
    OpBuilder builder(pick);
    Location loc = sum.getLoc();
    Value count = SizeOp::create(builder, loc, PyIntType::get(loc.getContext()),
                                 array.getType().getDims().front());
    auto made = NativeOp::create(
        builder, loc, type,
        builder.getStringAttr(type.isF64() ? "masked_sum_float64" : "masked_sum_float32"),
        builder.getI64IntegerAttr(0), ValueRange{pick.getOperand(1), pick.getOperand(2), count},
        StringAttr(), StringAttr());
    sum.replaceAllUsesWith(made.getResult());
    for (Operation *op :
         {sum.getOperation(), read.getOperation(), pick.getOperation(), array.getOperation()})
        op->erase();
    return true;
}

bool shapecast::sumMasked(FuncOp func) {
    SmallVector<ReduceOp> sums;
    func->walk([&](ReduceOp sum) { sums.push_back(sum); });
    return llvm::count_if(sums, [](ReduceOp sum) { return ::sumMasked(sum); }) > 0;
}
