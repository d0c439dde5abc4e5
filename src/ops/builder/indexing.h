// Indexing of arrays: basic (basic_indexing.cpp), by integers, slices, None and `...`, and advanced
// (advanced_indexing.cpp), by index arrays, lists and masks.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// array[keys], and number[keys] of a NumPy scalar.
Val arrayItem(TypedBuilder &e, const Val &base, llvm::ArrayRef<Val> keys);
// array[keys] = value
void storeArrayItem(TypedBuilder &e, const Val &base, llvm::ArrayRef<Val> keys, const Val &value);

// The view or element that basic indexing gives.
struct BasicIndex {
    Dims offsets, steps, dims;
    llvm::SmallVector<int64_t> axes;
    bool element = true; // integers for all axes: one element, not an array
};
BasicIndex basicIndex(TypedBuilder &e, const Val &base, llvm::ArrayRef<Val> keys);
np::DimAttr sliceDim(TypedBuilder &e, const Val &v); // a bound or the step of a slice

// Whether it is advanced indexing: by an index array, a list, a mask (advanced_indexing.cpp).
bool usesAdvancedIndexing(TypedBuilder &e, const Val &base, llvm::ArrayRef<Val> keys);
Val gather(TypedBuilder &e, const Val &base, llvm::ArrayRef<Val> keys);
void scatter(TypedBuilder &e, const Val &base, llvm::ArrayRef<Val> keys, const Val &value);
// np.nonzero: one array of indices per axis, all of one size.
llvm::SmallVector<Val> nonzero(TypedBuilder &e, const Val &array);

} // namespace shapecast
