// np-fuse: loop fusion of adjacent nests over equal iteration spaces.
//
//     for i: t[i] = f(x[i])             for i: t[i] = e = f(x[i]); y[i] = g(e)
//     for i: y[i] = g(t[i])      ->
//
// Before: the IR after np-nests. After: as before. Nest P moves down to nest Q if only pure
// operations are between them, and they are fused if no dependence between them becomes
// loop-carried: each pair of accesses of which one is a write is disjoint, or accesses an element
// in the same iteration. What P stores and Q loads is forwarded in a register (store-to-load
// forwarding). Neither may have conflicts of its own: np-schedule decides about copies nest by
// nest.
#pragma once

#include "passes/analysis/points_to.h"

namespace shapecast {

void fuseNests(np::FuncOp func);

// For np-fuse-scheduled (schedule.h), over larger distances: np-schedule's copies remove conflicts
// from nests, and the nests of a time step that updates several fields become one. `schedule`
// schedules each fused nest.
void fuseScheduled(np::FuncOp func, const PointsTo &pointsTo,
                   llvm::function_ref<void(np::NestOp)> schedule);

} // namespace shapecast
