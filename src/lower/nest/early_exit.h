// Early exit of any() and all(): reductions of bools that stop at their absorbing value.
//
// Before: a loop over [from, to) that reduces bools by or, and, minimum or maximum, and has no
// other effect. After: a loop over blocks, which exits before the next block once the accumulator
// is the absorbing value: NumPy's any() of a mask whose first element is true reads little more
// either.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

struct EarlyExitShape {
    bool absorbing; // value of the reduction: true for or, false for and
    int64_t block;  // elements between two tests; the last block has up to twice as many
};

// For a single reduction of bools with a pure body.
std::optional<EarlyExitShape> earlyExitShape(NestEmitter &nest);

// inner(b, from, to, accumulator) emits the loop over a block.
llvm::SmallVector<mlir::Value>
emitEarlyExit(mlir::OpBuilder &builder, mlir::Location loc, DimValues &dims, EarlyExitShape shape,
              mlir::Value from, mlir::Value to, mlir::Value accumulator,
              llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::Value,
                                                                mlir::Value, mlir::ValueRange)>
                  inner);

} // namespace shapecast
