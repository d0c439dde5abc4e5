// Array handles in compiled code: a pointer, an owner token, and symbolic offset and strides.
#pragma once

#include "lower/kit/scalars.h"

namespace shapecast {

// Element (i0, i1, ...) lies at pointer + offset + sum of i_d * strides[d], counted in elements.
// Views of one array share its pointer value; offset and strides are expressions over symbols in
// scope (run-time strides are symbols made by DimValues::fresh).
struct Handle {
    mlir::Value pointer, owner; // owner: i64 token, see runtime/abi.h
    np::DimAttr offset;
    llvm::SmallVector<np::DimAttr, 4> strides;
};

// The offset of an element, a linear form over the indices' symbols.
np::DimAttr linearIndex(const Handle &handle, llvm::ArrayRef<np::DimAttr> indices);
Handle viewOf(mlir::OpBuilder &builder, const Handle &base, np::ViewOp view);
Handle windowsOf(mlir::OpBuilder &builder, const Handle &base, np::WindowsOp windows);
Handle diagonalOf(mlir::OpBuilder &builder, const Handle &base, np::DiagonalOp diagonal);
Handle reshapeOf(const Handle &base, np::ReshapeOp reshape); // with the base's owner
Handle partOf(mlir::OpBuilder &builder, const Handle &base, np::PartOp part);
Handle stridedOf(mlir::OpBuilder &builder, const Handle &base, np::AsStridedOp strided);
// `data` is where the base's first element lies: items of another size need not be a whole number
// of them away from its pointer.
Handle reinterpretOf(mlir::OpBuilder &builder, const Handle &base, mlir::Value data,
                     np::ReinterpretOp reinterpret);

} // namespace shapecast
