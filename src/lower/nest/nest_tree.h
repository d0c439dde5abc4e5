// Reductions of the last loop with many accumulators: NumPy's summation tree, and extremes.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

// The reduction of `count` elements of the last loop, starting at `from`.
Values emitTree(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point,
                mlir::Value from, mlir::Value count);
// Enough independent accumulators to hide the latency of comparisons; bools have none.
unsigned extremeLanes(NestEmitter &nest, bool isVector);

} // namespace shapecast
