// np-parallel: automatic parallelisation by dependence tests. It marks the loops that threads may
// share, and those for outer-loop vectorisation and register tiling, which need such tests too.
//
//     for i in range(n):               for i in range(n) {shared}:
//         x[i, :] = f(a[i])    ->          x[i, :] = f(a[i])
//
// Before: the IR after np-lifetime. After: as before, with attributes. A typed counted loop is
// `shared` (a worksharing loop in OpenMP's words) if it has no loop-carried dependence, and running
// its iterations at once is not observable:
// - it carries nothing and has no early exit; nothing in it prints, calls or draws, nor raises,
//   unless all that it has written is dead then;
// - what an iteration writes outside the loop no other iteration reads or writes: along one axis
//   the subscripts of all accesses to that array identify the iteration (`x[i, ...]`, or blocks of
//   it, `x[i:i + step]`);
// - arrays that it makes are private to the iteration.
// Of nested loops the outermost is shared. An innermost loop that is itself in a loop is not: it
// ends before a thread wakes. Where the program asserts independence (shapecast.prange), the writes
// outside the loop and what is left after an error need no proof. In debug code (the module has the
// attribute np.debug) no loop is shared, and one whose assertion is not proved is `checked` at run
// time: see lower/function/prange_check.cpp.
// `outer_vector`: a loop whose inner loops differ in trip count from iteration to iteration, to be
// vectorised over its own iterations: see passes/loops/outer_vectorisation.h. `register_tiled`: a
// loop around one element-wise nest whose results may stay in registers: see
// passes/loops/register_tiling.h.
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
