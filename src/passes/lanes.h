// Loops whose turns may be computed several at once, each in a lane of vectors, though they differ
// in how long they take:
//
//     for j in range(m):
//         z, k = 0, 0
//         while k < limit and abs2(z) < 4:     some lanes go on while others are done
//             z, k = z * z + c[j], k + 1
//         out[j] = k
//         longest = max(longest, k)                in turn, lane by lane
//
// Before: the IR after np-lifetime. Says which loops; lower/lanes.cpp makes the code, and knows of
// which operations vectors have a form.
#pragma once

#include "passes/points_to.h"

#include "llvm/ADT/SetVector.h"

namespace shapecast {

// By its looks: it counts up by one; inside are `while` loops or counted loops that end early,
// which carry numbers; branches that give numbers; and stores of numbers behind all that is loaded.
// What it carries itself are numbers that its tail alone sees.
bool mayHaveLanes(np::ForOp loop);

// The operations of a turn that need what the turn before it gave: a few, of numbers, behind which
// nothing else waits. None: there are others.
std::optional<llvm::SetVector<mlir::Operation *>> tailOf(np::ForOp loop);

// Then: its turns need nothing else of each other, only operations of numbers raise, and what is
// loaded somewhere in a turn lies in its array whenever the turn begins.
bool areLanesSafe(np::ForOp loop, const PointsTo &pointsTo);

} // namespace shapecast
