// Whether what np.snapshot names stays as it is.
//
// Where a list that grows takes an array in, Python's list keeps the array and ours a copy; where
// an item is looked at, Python gives the array and we another copy. Nobody can tell as long as
// neither is written to afterwards.
//
// Before: a function as np-infer leaves it. Promises: no store, native function or call after an
// np.snapshot, in this turn of a loop or a later one, may write to the memory that the handle named
// there; where lists of arrays are returned, none of them is memory of an argument, and none is in
// a list twice. Else the error.
// The operations are removed.
#pragma once

#include "ops/typed.h"

namespace shapecast {

std::optional<InferError> takeSnapshots(np::FuncOp func);

} // namespace shapecast
