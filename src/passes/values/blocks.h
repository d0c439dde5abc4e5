// np-blocks: loop tiling for the cache (blocking). The element-wise array operations of a loop's
// body are strip-mined together, and the loop over the blocks is interchanged outwards.
//
//     for k in range(n):               for b in blocks:
//         x = f(x, a)          ->          for k in range(n):
//                                              x[b] = f(x[b], a[b])
//
// Before: the IR after np-promote (values: tensors; arrays that act as values are values).
// After: as before. A typed counted loop
// - whose loop-carried variables are arrays of equal dims, which each iteration passes on or
//   replaces by a new array,
// - whose other operations are element-wise over these dims (or over fewer, broadcast), views and
//   loads of arrays that it does not write, and scalars that cannot raise,
// becomes the inner loop of a loop over blocks of the first axis: its working set stays in the
// first-level cache, and its temporaries have the size of a block. Each element goes through the
// same operations in the same order, so that no bit changes. A loop whose trip count may be 0 must
// keep its variables' identity: it is left alone if the arrays that it carries are not fresh.
#pragma once

#include "ir/np.h"

namespace shapecast {

mlir::LogicalResult blockLoops(mlir::ModuleOp module);

} // namespace shapecast
