// np-promote: array objects that cannot be told from values become values.
//
// Before: the IR after np-simplify.
// After: as before, and
// - a np.read of an array that np.materialize made, and that nothing wrote in between, is the value
// itself;
// - a whole-array store into a fresh array that was only read before is a new array (x += y on a
// temporary is
//   x2 = x + y), so that chains of in-place operations become one expression;
// - a cheap expression of which only windows are read (d[1:] - d[:-1]) is computed in each window;
// - an expression of an array that was put together from pieces (a roll, a join, a copy with a
// window stored anew) is computed box by box, from the pieces;
// - the sum of what a mask picks is one call of the run time, if nothing else needs the picked;
// - arrays that are not read any more are gone.
// Values never cross a loop or branch as operands of its terminators.
#pragma once

#include "ir/np.h"
#include "passes/passes.h"

namespace shapecast {

// True if anything changed.
bool pushWindows(np::FuncOp func); // src/passes/windows.cpp
bool pushPieces(np::FuncOp func);  // src/passes/pieces.cpp
bool sumMasked(np::FuncOp func);   // src/passes/masked_sums.cpp

} // namespace shapecast
