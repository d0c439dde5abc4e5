// np-simplify: removes what inference left behind and says the rest in fewer words.
//
// Before: the IR after np-infer.
// After: as before, and
// - no np.cast to the same type, no np.broadcast or whole-array np.view that changes nothing;
// - equal pure operations in one scope, and equal reads with no write between, are one;
// - an array that was made only to be read in the same block is its value (np.read of np.materialize);
// - no np.require that constants prove; no pure operation, array or read without a use;
// - power by the constant 2 is np.square (NumPy's loops do the same), `**` by 0.5 is np.sqrt.
// The order of what can be seen (stores, raises, prints) is unchanged.
#pragma once

#include "passes/passes.h"
#include "ir/np.h"

namespace shapecast {

// Erases unused pure operations, reads, values and arrays (with the stores to arrays that nobody reads).
void eraseDead(np::FuncOp func);

} // namespace shapecast
