// Checks that the arrays of np.snapshot are not written to afterwards.
//
// A dynamic list stores copies of arrays, where Python's list stores references; reading an item
// copies again. The difference is not observable as long as neither the array nor the copy is
// written to afterwards.
//
// Before: a function as np-infer leaves it. Promises: no store, native function or call after an
// np.snapshot, in this iteration of a loop or a later one, may write to the memory of its array;
// where lists of arrays are returned, none of the arrays aliases an argument, and none is in a list
// twice. Else the error. The operations are erased.
#pragma once

#include "ops/builder/infer_error.h"
#include "ops/builder/typed_builder.h"

namespace shapecast {

// The error; of a list that may be in memory instead it has the site. Erases nothing.
std::optional<InferError> snapshotError(np::FuncOp func);
mlir::LogicalResult checkSnapshots(np::FuncOp func);

} // namespace shapecast
