// Loops around element-wise nests that change the same elements in each turn:
//
//     for k in range(n):
//         out += weights[k] * x[k : k + len(out)]
//
// Nest after nest would load and store all of `out` n times. Where each element's turns need
// nothing of other elements, some vectors of `out` stay in registers through all turns.
//
// Before: the IR after np-lifetime. Says which loops; lower/registers.cpp makes the code.
#pragma once

#include "passes/points_to.h"

namespace shapecast {

// A counted loop that carries nothing but arrays as they are. In it stand scalars that cannot
// raise, elements and views of arrays from outside, and one such loop or nests over the same
// points. What nests write others read and write at the same place only.
bool mayStayInRegisters(np::ForOp loop, const PointsTo &pointsTo);

// The nests of such loops.
llvm::SmallVector<np::NestOp> innerNests(np::ForOp loop);
// What the handle was before the first turn of the loops inside `loop`, or `loop` itself.
mlir::Value beforeTurns(mlir::Value handle, np::ForOp loop);

} // namespace shapecast
