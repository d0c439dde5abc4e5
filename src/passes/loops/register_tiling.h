// Register tiling: loop interchange and scalar replacement, for loops around element-wise nests
// that update the same elements in each iteration.
//
//     for k in range(n):                            for tile of out:
//         out += weights[k] * x[k : k + m]   ->         r = out[tile]        (in registers)
//                                                       for k in range(n):
//                                                           r += weights[k] * x[k + tile]
//                                                       out[tile] = r
//
// One nest after the other would load and store all of `out` n times. Where an element's update
// depends on no other element, the loop over tiles of a few vectors is interchanged outwards, and
// the tile stays in registers. Element-wise nests right before and after the loop, `out = zeros(m)`
// and `result = out / n`, are fused into it: an array without other uses is contracted to the tile.
//
// Before: the IR after np-lifetime. After: such loops have the attribute `register_tiled`, and so
// have the fused nests, which are adjacent to them. lower/function/register_tiling_code.cpp makes
// the code.
#pragma once

#include "passes/analysis/points_to.h"

namespace shapecast {

// Marks a counted loop that carries only arrays, unchanged, and contains scalar code that cannot
// raise, loads and views of arrays from outside, and one such loop or nests over the same iteration
// space. What a nest writes the others access at the same point of the space only.
void tileForRegisters(np::FuncOp func);

// The nests of such a loop: right before it, inside, and right after it.
struct TiledNests {
    llvm::SmallVector<np::NestOp> before, inside, after;
};
TiledNests tiledNests(np::ForOp loop);
// The handle's initial value, before `loop` or the loops inside it that carry it.
mlir::Value valueBeforeLoop(mlir::Value handle, np::ForOp loop);
// The array is contracted: the function allocates it, and only these nests, in the loop and
// adjacent to it, access its elements.
bool isOnlyInRegisters(mlir::Value array, np::ForOp loop, const TiledNests &nests);

} // namespace shapecast
