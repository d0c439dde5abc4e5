// Strides and windows of array handles, as expressions.
#include "lower/kit/handles.h"

#include "ir/layout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "runtime/abi.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;
using np::Layout;

DimAttr linearIndex(const Handle &handle, ArrayRef<DimAttr> indices) {
    DimAttr sum = handle.offset;
    for (auto [index, stride] : llvm::zip_equal(indices, handle.strides))
        sum = np::dimAdd(sum, np::dimMul(index, stride));
    return sum;
}

// A view, whose strides the caller adds. If the view itself makes the array read-only, its owner
// token says so, except an argument's token: of that, a result's type says it.
static Handle borrowed(OpBuilder &builder, const Handle &base, Value to, bool makesReadonly) {
    Location loc = to.getLoc();
    auto constant = [&](int64_t value) -> Value {
        return arith::ConstantIntOp::create(builder, loc, value, 64);
    };
    Value owner =
        arith::OrIOp::create(builder, loc, base.owner, constant(int64_t(runtime::ownerView)));
    if (makesReadonly) {
        static_assert(runtime::ownerArgument == 1 && runtime::ownerLocked == 4);
        Value bit = arith::AndIOp::create(builder, loc, owner, constant(1));
        Value own = arith::XOrIOp::create(builder, loc, bit, constant(1));
        Value lock = arith::ShLIOp::create(builder, loc, own, constant(2));
        owner = arith::OrIOp::create(builder, loc, owner, lock);
    }
    return {base.pointer, owner, base.offset, {}};
}

Handle viewOf(OpBuilder &builder, const Handle &base, np::ViewOp view) {
    auto isReadonly = [](Value v) { return cast<np::ArrayType>(v.getType()).getReadonly(); };
    const bool locks = view.getReadonly() || !isReadonly(view.getBase());
    Handle result = borrowed(builder, base, view, isReadonly(view) && locks);
    SmallVector<DimAttr> offsets = np::dimVector(view.getOffsets());
    SmallVector<DimAttr> steps = np::dimVector(view.getSteps());
    result.offset = linearIndex(base, offsets);
    for (int64_t axis : view.getAxes())
        result.strides.push_back(axis < 0 ? np::dimConst(builder.getContext(), 0)
                                          : np::dimMul(steps[axis], base.strides[axis]));
    return result;
}

Handle diagonalOf(OpBuilder &builder, const Handle &base, np::DiagonalOp diagonal) {
    const bool isReadonly = cast<np::ArrayType>(diagonal.getType()).getReadonly();
    Handle result = borrowed(builder, base, diagonal, /*makesReadonly=*/isReadonly);
    int64_t first = diagonal.getAxis1(), second = diagonal.getAxis2();
    for (auto [axis, stride] : llvm::enumerate(base.strides))
        if (int64_t(axis) != first && int64_t(axis) != second)
            result.strides.push_back(stride);
    result.strides.push_back(np::dimAdd(base.strides[first], base.strides[second]));
    return result;
}

Handle windowsOf(OpBuilder &builder, const Handle &base, np::WindowsOp windows) {
    Handle result = borrowed(builder, base, windows, /*makesReadonly=*/true);
    result.strides = base.strides;
    result.strides.push_back(base.strides[windows.getAxis()]);
    return result;
}

Handle reshapeOf(const Handle &base, np::ReshapeOp reshape) {
    Handle handle = base;
    np::ArrayType type = reshape.getType();
    if (type.getLayout() == Layout::C || type.getLayout() == Layout::F) {
        handle.strides = np::stridesOf(type, {});
        return handle;
    }
    DimAttr next = handle.strides[0]; // one strided axis, split
    handle.strides.assign(type.getRank(), next);
    for (int64_t axis = type.getRank(); axis-- > 0; next = np::dimMul(next, type.getDims()[axis]))
        handle.strides[axis] = next;
    return handle;
}

Handle partOf(OpBuilder &builder, const Handle &base, np::PartOp part) {
    Handle result = borrowed(builder, base, part, /*makesReadonly=*/false);
    DimAttr two = np::dimConst(builder.getContext(), 2);
    result.offset = np::dimAdd(np::dimMul(base.offset, two),
                               np::dimConst(builder.getContext(), part.getPart()));
    for (DimAttr stride : base.strides)
        result.strides.push_back(np::dimMul(stride, two));
    return result;
}

Handle stridedOf(OpBuilder &builder, const Handle &base, np::AsStridedOp strided) {
    auto isReadonly = [](Value v) { return cast<np::ArrayType>(v.getType()).getReadonly(); };
    Handle result =
        borrowed(builder, base, strided, isReadonly(strided) && !isReadonly(strided.getBase()));
    llvm::append_range(result.strides, np::dimVector(strided.getStrides()));
    return result;
}

Handle reinterpretOf(OpBuilder &builder, const Handle &base, Value data,
                     np::ReinterpretOp reinterpret) {
    MLIRContext *ctx = builder.getContext();
    auto from = cast<np::ArrayType>(reinterpret.getBase().getType()), to = reinterpret.getType();
    const int64_t had = itemSize(dtypeOf(from)), has = itemSize(dtypeOf(to));
    Handle result = borrowed(builder, base, reinterpret, /*makesReadonly=*/false);
    result.pointer = data;
    result.offset = np::dimConst(ctx, 0);
    for (DimAttr stride : base.strides)
        result.strides.push_back(had >= has
                                     ? np::dimMul(stride, np::dimConst(ctx, had / has))
                                     : np::dimFloorDiv(stride, np::dimConst(ctx, has / had)));
    if (had != has) // contiguous, or of size 1
        result.strides.back() = np::dimConst(ctx, 1);
    if (to.getLayout() == Layout::C || to.getLayout() == Layout::F)
        result.strides = np::stridesOf(to);
    return result;
}

} // namespace shapecast
