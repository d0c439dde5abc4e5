// Strides and windows of array handles, as expressions.
#include "lower/handles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "runtime/abi.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;
using np::Layout;

unsigned dynamicStrides(np::ArrayType type) {
    unsigned rank = type.getRank();
    if (type.getLayout() == Layout::Strided)
        return rank;
    return type.getLayout() == Layout::Inner && rank > 0 ? rank - 1 : 0;
}

DimAttr linearIndex(const Handle &handle, ArrayRef<DimAttr> indices) {
    DimAttr sum = handle.offset;
    for (auto [index, stride] : llvm::zip_equal(indices, handle.strides))
        sum = np::dimAdd(sum, np::dimMul(index, stride));
    return sum;
}

Handle viewOf(OpBuilder &builder, const Handle &base, np::ViewOp view) {
    Location loc = view.getLoc();
    Value bit = arith::ConstantIntOp::create(builder, loc, runtime::ownerView, 64);
    Handle result;
    result.pointer = base.pointer;
    result.owner = arith::OrIOp::create(builder, loc, base.owner, bit);
    SmallVector<DimAttr> offsets = np::dimVector(view.getOffsets());
    SmallVector<DimAttr> steps = np::dimVector(view.getSteps());
    result.offset = linearIndex(base, offsets);
    for (int64_t axis : view.getAxes())
        result.strides.push_back(axis < 0 ? np::dimConst(builder.getContext(), 0)
                                          : np::dimMul(steps[axis], base.strides[axis]));
    return result;
}

} // namespace shapecast
