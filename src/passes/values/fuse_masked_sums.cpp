// See fuse_masked_sums.h.
#include "passes/values/fuse_masked_sums.h"

#include "passes/values/simplify.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// The only store to the array, if it is a gather by a mask of the source's shape, both contiguous,
// and if the array has no other use than the one read.
static NativeOp maskGatherInto(AllocOp array, ReadOp read) {
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
    const bool areContiguous = from.getLayout() == Layout::C && mask.getLayout() == Layout::C;
    return areContiguous && from.getRank() == mask.getRank() && !from.getDevice() ? found
                                                                                  : NativeOp();
}

static bool fuseMaskedSum(ReduceOp sum) {
    auto read = sum.getValue().getDefiningOp<ReadOp>();
    auto array = read ? read.getBase().getDefiningOp<AllocOp>() : AllocOp();
    Type type = sum.getResult().getType();
    if (sum.getCombine() != "add" || !array || !read->hasOneUse() || !isScalar(type) ||
        array.getType().getRank() != 1 || !(type.isF64() || type.isF32()))
        return false;
    NativeOp gather = maskGatherInto(array, read);
    if (!gather)
        return false;
    OpBuilder builder(gather);
    Location loc = sum.getLoc();
    Value count = SizeOp::create(builder, loc, PyIntType::get(loc.getContext()),
                                 array.getType().getDims().front());
    auto made = NativeOp::create(
        builder, loc, type,
        builder.getStringAttr(type.isF64() ? "masked_sum_float64" : "masked_sum_float32"),
        builder.getI64IntegerAttr(0), ValueRange{gather.getOperand(1), gather.getOperand(2), count},
        StringAttr(), StringAttr());
    sum.replaceAllUsesWith(made.getResult());
    for (Operation *op :
         {sum.getOperation(), read.getOperation(), gather.getOperation(), array.getOperation()})
        op->erase();
    return true;
}

void shapecast::fuseMaskedSums(FuncOp func) {
    SmallVector<ReduceOp> sums;
    func->walk([&](ReduceOp sum) { sums.push_back(sum); });
    if (llvm::count_if(sums, fuseMaskedSum) > 0)
        eraseDead(func);
}
