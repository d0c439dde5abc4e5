// Counts of bools in narrow integers.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

// The bits of the accumulators that count bools, strip by strip of the last loop; 0 where those of
// the result do as well.
unsigned countingBits(NestEmitter &nest);
Values countBools(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point,
                  mlir::Value from, mlir::Value to, mlir::ValueRange accumulators, unsigned bits);
// The same for a loop of any length.
Values countBoolsOfRow(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point,
                       mlir::Value from, mlir::Value to, mlir::ValueRange accumulators,
                       unsigned bits);

} // namespace shapecast
