// Loops around element-wise nests that change the same elements in each turn:
//
//     for k in range(n):
//         out += weights[k] * x[k : k + len(out)]
//
// Nest after nest would load and store all of `out` n times. Where each element's turns need
// nothing of other elements, some vectors of `out` stay in registers through all turns. Nests right
// before and behind the loop that are alike, `out = zeros(m)` and `result = out / n`, take part:
// an array that nobody else asks for is not in memory at all then.
//
// Before: the IR after np-lifetime. After: such loops have the attribute `registers`, and so have
// nests that take part, which stand right beside them. lower/registers.cpp makes the code.
#pragma once

#include "passes/points_to.h"

namespace shapecast {

// A counted loop that carries nothing but arrays as they are. In it stand scalars that cannot
// raise, elements and views of arrays from outside, and one such loop or nests over the same
// points. What nests write others read and write at the same place only.
bool keepInRegisters(np::ForOp loop, const PointsTo &pointsTo);

// The nests of such a loop: right before it, inside, and right behind it.
struct RegisterNests {
    llvm::SmallVector<np::NestOp> before, inside, behind;
};
RegisterNests registerNests(np::ForOp loop);
// What the handle was before the first turn of the loops inside `loop`, or `loop` itself.
mlir::Value beforeTurns(mlir::Value handle, np::ForOp loop);
// The function made the array, and nobody asks for its elements but these nests, in the loop and
// beside it.
bool isOnlyInRegisters(mlir::Value array, np::ForOp loop, const RegisterNests &nests);

} // namespace shapecast
