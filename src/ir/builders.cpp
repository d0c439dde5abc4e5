// Result types of typed operations, inferred from their operands: no pass computes a shape itself.
#include "ir/layout.h"
#include "ir/np.h"

using namespace mlir;
using namespace shapecast::np;

namespace {

using Dims = SmallVector<DimAttr, 4>;

ArrayType arrayOf(Value handle) { return cast<ArrayType>(handle.getType()); }

// The same element type with other sizes.
ArrayType resized(ArrayType base, ArrayRef<DimAttr> dims, Layout layout, bool readonly) {
    return ArrayType::get(base.getContext(), dims, base.getDtype(), layout, readonly,
                          base.getDevice());
}

// A value of these sizes, or a scalar for rank 0.
Type valueOrScalar(ArrayRef<DimAttr> dims, Type dtype, StringAttr device) {
    return dims.empty() ? dtype : Type(valueType(dims, dtype, device));
}

} // namespace

namespace shapecast::np {

SmallVector<DimAttr, 4> reducedDims(ArrayRef<DimAttr> dims, ArrayRef<int64_t> axes, bool keepdims) {
    Dims result;
    for (auto [i, dim] : llvm::enumerate(dims))
        if (!llvm::is_contained(axes, int64_t(i)))
            result.push_back(dim);
        else if (keepdims)
            result.push_back(dimConst(dim.getContext(), 1));
    return result;
}

} // namespace shapecast::np

//===-- Handles

void ViewOp::build(OpBuilder &b, OperationState &state, Value base, ArrayRef<DimAttr> offsets,
                   ArrayRef<DimAttr> steps, ArrayRef<int64_t> axes, ArrayRef<DimAttr> dims,
                   const DimFacts &facts, bool readonly) {
    ArrayType from = arrayOf(base);
    build(b, state,
          resized(from, dims, viewLayout(from, steps, axes, dims, facts),
                  readonly || from.getReadonly()),
          base, dimArray(b.getContext(), offsets), dimArray(b.getContext(), steps),
          b.getDenseI64ArrayAttr(axes));
}

void ReshapeOp::build(OpBuilder &b, OperationState &state, Value base, ArrayRef<DimAttr> dims,
                      Layout layout) {
    build(b, state, resized(arrayOf(base), dims, layout, arrayOf(base).getReadonly()), base);
}

void ReshapeAnyOp::build(OpBuilder &b, OperationState &state, Value base, ArrayRef<DimAttr> dims,
                         Layout layout) {
    build(b, state, resized(arrayOf(base), dims, layout, arrayOf(base).getReadonly()), base);
}

void DiagonalOp::build(OpBuilder &b, OperationState &state, Value base, int64_t axis1,
                       int64_t axis2, DimAttr size, bool readonly) {
    Dims dims = reducedDims(arrayOf(base).getDims(), {axis1, axis2}, /*keepdims=*/false);
    dims.push_back(size);
    readonly |= arrayOf(base).getReadonly();
    build(b, state, resized(arrayOf(base), dims, Layout::Strided, readonly), base, axis1, axis2);
}

void WindowsOp::build(OpBuilder &b, OperationState &state, Value base, int64_t axis, DimAttr count,
                      DimAttr size) {
    Dims dims(arrayOf(base).getDims());
    dims[axis] = count;
    dims.push_back(size);
    build(b, state, resized(arrayOf(base), dims, Layout::Strided, /*readonly=*/true), base, axis);
}

void PartOp::build(OpBuilder &b, OperationState &state, Value base, int64_t part) {
    ArrayType from = arrayOf(base);
    build(b, state,
          ArrayType::get(b.getContext(), from.getDims(),
                         cast<ComplexType>(from.getDtype()).getElementType(),
                         from.getRank() == 0 ? Layout::C : Layout::Strided, from.getReadonly(),
                         from.getDevice()),
          base, part);
}

void ReadOp::build(OpBuilder &b, OperationState &state, Value base) {
    ArrayType from = arrayOf(base);
    build(b, state, valueType(from.getDims(), from.getDtype(), from.getDevice()), base);
}

void MaterializeOp::build(OpBuilder &b, OperationState &state, Value value, Layout layout) {
    auto tensor = cast<RankedTensorType>(value.getType());
    build(b, state,
          ArrayType::get(b.getContext(), valueDims(tensor), tensor.getElementType(), layout,
                         /*readonly=*/false, deviceOf(tensor)),
          value);
}

//===-- Values

void UfuncOp::build(OpBuilder &b, OperationState &state, StringRef name, ValueRange operands,
                    StringRef loop, Type dtype) {
    Type type = dtype;
    for (Value operand : operands)
        if (auto tensor = dyn_cast<RankedTensorType>(operand.getType()))
            type = valueType(valueDims(tensor), dtype, deviceOf(tensor));
    build(b, state, type, b.getStringAttr(name), operands, b.getStringAttr(loop), ArrayAttr());
}

void BroadcastOp::build(OpBuilder &b, OperationState &state, Value value, ArrayRef<DimAttr> dims) {
    auto tensor = cast<RankedTensorType>(value.getType());
    build(b, state, valueType(dims, tensor.getElementType(), deviceOf(tensor)), value);
}

void SplatOp::build(OpBuilder &b, OperationState &state, Value scalar, ArrayRef<DimAttr> dims,
                    StringAttr device) {
    build(b, state, valueType(dims, scalar.getType(), device), scalar);
}

void IotaOp::build(OpBuilder &b, OperationState &state, ArrayRef<DimAttr> dims, Type dtype,
                   int64_t axis, StringAttr device) {
    build(b, state, valueType(dims, dtype, device), axis);
}

void ReduceOp::build(OpBuilder &b, OperationState &state, StringRef combine, Value value,
                     ArrayRef<int64_t> axes, bool keepdims) {
    auto tensor = cast<RankedTensorType>(value.getType());
    const bool isIndex = combine.starts_with("arg");
    Type dtype = isIndex ? Type(b.getIntegerType(64, /*isSigned=*/true)) : tensor.getElementType();
    Type type =
        valueOrScalar(reducedDims(valueDims(tensor), axes, keepdims), dtype, deviceOf(tensor));
    build(b, state, type, b.getStringAttr(combine), value, b.getDenseI64ArrayAttr(axes),
          keepdims ? b.getUnitAttr() : UnitAttr());
}

// (..., n, k) with (..., k, m): the leading sizes are equal, and a vector has no n or no m.
void MatmulOp::build(OpBuilder &b, OperationState &state, Value lhs, Value rhs) {
    ArrayRef<DimAttr> left = arrayOf(lhs).getDims(), right = arrayOf(rhs).getDims();
    Dims dims(left.drop_back());
    if (right.size() > 1)
        dims.push_back(right.back());
    build(b, state, valueOrScalar(dims, arrayOf(lhs).getDtype(), arrayOf(lhs).getDevice()), lhs,
          rhs);
}
