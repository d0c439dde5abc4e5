// Unroll-and-jam of a stencil's row loop: what neighbouring rows read in common is loaded once, and
// what they compute of it is computed once.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

bool mayJamRows(NestEmitter &nest);
// Unroll-and-jam of the rows [from, to); returns where the remainder begins.
mlir::Value jamRows(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point,
                    mlir::Value from, mlir::Value to);

} // namespace shapecast
