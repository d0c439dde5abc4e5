// Strides implied by a layout class, and the layout class of a view.
#pragma once

#include "ir/np.h"

namespace shapecast::np {

// Strides in elements, as expressions. `dynamic`: those that the layout does not imply, where they
// are known (Inner: all but the last, Strided: all); null entries of the result otherwise.
llvm::SmallVector<DimAttr, 4> stridesOf(ArrayType type, llvm::ArrayRef<DimAttr> dynamic = {});

// Which strides the layout does not give: C and F none, inner all but the last, strided all.
unsigned dynamicStrides(Layout layout, int64_t rank);
inline unsigned dynamicStrides(ArrayType type) {
    return dynamicStrides(type.getLayout(), type.getRank());
}

// The layout class of an array with these strides; null: unknown.
Layout layoutOf(llvm::ArrayRef<DimAttr> strides, llvm::ArrayRef<DimAttr> dims,
                const DimFacts &facts);

// The layout class of an np.view of `base` with these attributes and dims.
Layout viewLayout(ArrayType base, llvm::ArrayRef<DimAttr> steps, llvm::ArrayRef<int64_t> axes,
                  llvm::ArrayRef<DimAttr> dims, const DimFacts &facts);

// A stride of an argument that is part of the call's cache key, else null.
DimAttr knownStride(mlir::BlockArgument argument, int64_t axis);

// Whether its axes are in Fortran order in memory, which NumPy's results then keep: an array of
// that layout, or a slice of one.
bool walksFortran(mlir::Value array);
// The layout of NumPy's result for these operands (order='K'): Fortran where all arrays of two axes
// or more, not counting axes of size 1, are in Fortran order.
Layout layoutOfResult(mlir::ValueRange operands);

} // namespace shapecast::np
