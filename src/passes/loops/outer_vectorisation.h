// Outer-loop vectorisation with divergence masks (SPMD on SIMD): several iterations of a loop run
// at once, each in a lane of vectors, although the trip counts of its inner loops differ.
//
//     for j in range(m):
//         z, k = 0, 0
//         while k < limit and abs2(z) < 4:     until no lane is active: a mask per lane
//             z, k = z * z + c[j], k + 1
//         out[j] = k
//         longest = max(longest, k)            the recurrence: scalar, lane after lane
//
// Before: the IR after np-lifetime. An analysis: which loops; lower/function/outer_vector_code.cpp
// makes the code, and knows which operations have a vector form.
#pragma once

#include "passes/analysis/points_to.h"

#include "llvm/ADT/SetVector.h"

namespace shapecast {

void markOuterVectorisation(np::FuncOp func); // the pass: sets the attribute `outer_vector`

// By its form: it counts up by one; it contains `while` loops, or counted loops with an early exit,
// that carry numbers; branches that yield numbers; and stores of numbers after all loads. What it
// carries itself are numbers that only its recurrence slice uses.
bool mayVectoriseOuter(np::ForOp loop);

// The forward slice of the loop-carried values: the operations of an iteration that depend on the
// one before. None if they are many, or not all operations on numbers.
std::optional<llvm::SetVector<mlir::Operation *>> recurrenceSlice(np::ForOp loop);

// Of such a loop: it has no other loop-carried dependence, only operations on numbers raise, and
// loads may be speculated: each is in bounds in every iteration, executed or not.
bool isOuterVectorisationSafe(np::ForOp loop, const PointsTo &pointsTo);

} // namespace shapecast
