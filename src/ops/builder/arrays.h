// Shapes of arrays and views of them; arguments that are shapes, axes or dtypes.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val transpose(TypedBuilder &e, const Val &a, llvm::ArrayRef<int64_t> axes);
// np.asarray: scalars and list or tuple displays become fresh arrays.
Val asArray(TypedBuilder &e, const Val &v);
// NumPy converts a tuple, list or range to an array where the other operand is an array or scalar
// of its own; none where neither is so.
std::optional<std::pair<Val, Val>> sequenceAsArray(TypedBuilder &e, const Val &a, const Val &c);
// Requires that the shapes broadcast: aligned sizes are equal or one of them is 1.
void requireOneShape(TypedBuilder &e, llvm::ArrayRef<Dims> shapes);
// np.broadcast_to without its checks: the caller has required that every size fits.
Val broadcastView(TypedBuilder &e, const Val &a, llvm::ArrayRef<np::DimAttr> dims, bool readonly);
// a[..., offset : offset + size, ...] along one axis, within bounds.
Val sliceView(TypedBuilder &e, const Val &a, int64_t axis, np::DimAttr offset, np::DimAttr size);
// -1 allowed once; a view where NumPy gives one
Val reshape(TypedBuilder &e, const Val &a, llvm::ArrayRef<Val> shape);
Val ravel(TypedBuilder &e, const Val &a);

// an int or a tuple of ints; ValueError when negative
Dims shapeOf(TypedBuilder &e, const Val &shape);
// The axes of a reduction from axis=None, an int or a tuple; normalised, sorted and checked. As
// in NumPy, a scalar has none, but takes 0 and -1.
llvm::SmallVector<int64_t> axesOf(TypedBuilder &e, const Val &axis, int64_t rank);
// dtype object, type, or string
DType dtypeOf(TypedBuilder &e, const Val &v);

} // namespace shapecast
