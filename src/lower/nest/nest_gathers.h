// Gathers whose indices are checked block by block.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

// The last loop in blocks: a block's gather indices are checked first, and where all are in
// [0, size), its loop has no checks, and so more loads in flight.
Values gatherInBlocks(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point,
                      mlir::Value from, mlir::Value to, mlir::ValueRange accumulators);

} // namespace shapecast
