// Nests that copy elements unchanged, or store zeros.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

// The loops may run in any order, nothing is reduced, and no array that is written is read or
// overlaps another: so stores at different points may be reordered, too.
bool isInAnyOrder(NestEmitter &nest);
// The innermost loop copies contiguous elements, or stores zeros: moveRun().
bool isRunCopy(NestEmitter &nest);
bool isZeroRun(NestEmitter &nest);
// Long runs call memcpy or memset, which write whole lines without reading them first; others do
// `otherwise`.
void moveRun(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
             mlir::Value to, llvm::function_ref<void(mlir::OpBuilder &)> otherwise);
// The two innermost loops copy a transposed array: transposedCopy().
bool isTransposedCopy(NestEmitter &nest);
void transposedCopy(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point);

} // namespace shapecast
