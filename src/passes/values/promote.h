// np-promote: promotes non-escaping arrays to SSA values.
//
// Before: the IR after np-simplify.
// After: as before, and
// - a np.read of an array that np.materialize made, without a write in between, is the value itself
//   (store-to-load forwarding);
// - a whole-array store into a fresh array that was only read before is a new array (x += y on a
//   temporary is x2 = x + y), so that chains of in-place operations become one expression;
// - a cheap expression of which only windows are read (d[1:] - d[:-1]) is computed in each window
//   (rematerialisation);
// - an expression of an array that was assembled from windows (a roll, a concatenation, a copy with
//   one window overwritten) is computed box by box, from the windows' values;
// - the sum of x[mask] is one call of the runtime, if that array has no other use;
// - arrays that are not read any more are erased.
// Values never cross a loop or branch as operands of its terminators.
#pragma once

#include "ir/np.h"

namespace shapecast {

void promoteArrays(np::FuncOp func);

} // namespace shapecast
