// np-simplify: removes what inference left behind and says the rest in fewer words.
//
// Before: the IR after np-infer.
// After: as before, and
// - no np.cast to the same type, no np.broadcast or whole-array np.view that changes nothing;
// - equal pure operations in one scope, and equal reads with no write between, are one;
// - an array that was made only to be read in the same block is its value (np.read of
// np.materialize);
// - no np.reshape_any of which nobody can tell whether it is a view (reshapes.h);
// - no np.require that constants prove; no pure operation, array or read without a use;
// - an array to the constant power 2 is np.square, a real one to 0.5 or -1 np.sqrt or
// np.reciprocal, as in NumPy. The order of what can be seen (stores, raises, prints) is unchanged.
#pragma once

#include "ir/np.h"
#include "passes/passes.h"

namespace shapecast {

// Erases unused pure operations, reads, values and arrays (with the stores to arrays that nobody
// reads).
void eraseDead(np::FuncOp func);
// Folds what changes nothing, and makes equal operations of one scope one.
void mergeEqual(np::FuncOp func);

} // namespace shapecast
