// Strides that a layout class gives, and the layout class of a view.
#pragma once

#include "ir/dim_facts.h"
#include "ir/np.h"

namespace shapecast::np {

// Strides in elements, as expressions. `dynamic`: those that the layout does not give, where they
// are known (Inner: all but the last, Strided: all); null entries of the result otherwise.
llvm::SmallVector<DimAttr, 4> stridesOf(ArrayType type, llvm::ArrayRef<DimAttr> dynamic = {});

// The layout class of an array with these strides, of which null ones are not known.
Layout layoutOf(llvm::ArrayRef<DimAttr> strides, llvm::ArrayRef<DimAttr> dims,
                const DimFacts &facts);

// The layout class of the view (np.view's attributes) of `base` with these dims.
Layout viewLayout(ArrayType base, llvm::ArrayRef<DimAttr> steps, llvm::ArrayRef<int64_t> axes,
                  llvm::ArrayRef<DimAttr> dims, const DimFacts &facts);

// A stride of an argument that the call's key tells, else null.
DimAttr knownStride(mlir::BlockArgument argument, int64_t axis);

// Whether memory is walked in Fortran order, as NumPy's results then are: an array of that layout,
// or a window of one.
bool walksFortran(mlir::Value array);
// The layout of the array that NumPy makes of operands: Fortran's where all arrays of two axes or
// more, those of one element not counted, walk memory so.
Layout layoutOfResult(mlir::ValueRange operands);

} // namespace shapecast::np
