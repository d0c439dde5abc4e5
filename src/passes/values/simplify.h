// np-simplify: canonicalisation of the typed IR: folds, common subexpressions, dead code.
//
// Before: the IR after np-infer.
// After: as before, and
// - no np.cast to the same type, no np.broadcast or whole-array np.view that changes nothing;
// - equal pure operations in one scope, and equal reads with no write between, are one;
// - an array that is only read, in the block that made it, is its value (np.read of
//   np.materialize);
// - no np.reshape_any where a view cannot be distinguished from a copy (reshapes.h);
// - no np.require that constants prove; no pure operation, array or read without a use;
// - an array to the constant power 2 is np.square, a real one to 0.5 or -1 np.sqrt or
//   np.reciprocal, as in NumPy.
// The order of visible effects (stores, raises, prints) is unchanged.
#pragma once

#include "ir/np.h"

namespace shapecast {

void simplify(np::FuncOp func); // both of these

// Erases unused pure operations, reads, values and arrays (with the stores to arrays that are never
// read).
void eraseDead(np::FuncOp func);
// Folds identities, and merges equal operations of one scope.
void mergeEqual(np::FuncOp func);

} // namespace shapecast
