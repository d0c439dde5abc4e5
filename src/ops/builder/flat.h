// a.flat[...], the elements of an array in C order as one axis.
//
// The index of one element is unravelled. Indexing of several goes through np.ravel: a view of a
// C-contiguous array, a copy of any other, which a store writes back as a whole.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// np.unravel_index
llvm::SmallVector<Val> flatIndices(TypedBuilder &e, const Val &a, const Val &index);
Val flatItem(TypedBuilder &e, const Val &a, llvm::ArrayRef<Val> keys);
void setFlat(TypedBuilder &e, const Val &a, llvm::ArrayRef<Val> keys, const Val &value);

} // namespace shapecast
