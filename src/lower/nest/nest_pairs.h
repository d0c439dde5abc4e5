// Vectors of reads with step 2: real or imaginary parts, every other element.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

bool readsPairs(NestEmitter &nest);
// Whole vectors of the last loop; returns where the remainder begins.
mlir::Value pairedVectors(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point,
                          mlir::Value from, mlir::Value to);

} // namespace shapecast
