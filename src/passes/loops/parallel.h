// np-parallel: automatic parallelisation by dependence tests: marks the loops that threads may
// share.
//
//     for i in range(n):               for i in range(n) {multithreaded}:
//         x[i, :] = f(a[i])    ->          x[i, :] = f(a[i])
//
// Before: the IR after np-wavefront. After: as before, with attributes. A typed counted loop is
// `multithreaded` (a worksharing loop in OpenMP's words) if it has no loop-carried dependence, and
// running its iterations at once is not observable:
// - it carries nothing and has no early exit; nothing in it prints, calls or draws, nor raises,
//   unless all that it has written is dead then;
// - what an iteration writes outside the loop no other iteration reads or writes: along one axis
//   the subscripts of all accesses to that array identify the iteration (`x[i, ...]`, or blocks of
//   it, `x[i:i + step]`);
// - arrays that it makes are private to the iteration.
// Of nested loops the outermost is marked. An innermost loop that is itself in a loop is not: it
// ends before a thread wakes. Where the program asserts independence (shapecast.prange), the writes
// outside the loop and what is left after an error need no proof. In debug code (the module has the
// attribute np.debug) no loop is marked, and one whose assertion is not proved is
// `dependence_checked` at run time: see lower/function/prange_check.cpp.
#pragma once

#include "ir/np.h"
#include "passes/analysis/points_to.h"

namespace shapecast {

void markParallelLoops(np::FuncOp func); // the pass

// No dependence between a loop's iterations except through the values that it carries; and none
// raises, or, with mayRaise, what others have written by then does not matter.
bool hasNoLoopCarriedDependence(np::ForOp loop, const PointsTo &pointsTo, bool mayRaise = false);

// The estimated cost of an iteration, in sixteenths of a nanosecond, computable before the loop.
np::DimAttr iterationCost(np::ForOp loop);

} // namespace shapecast
