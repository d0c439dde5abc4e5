// When a nest polls (sc_poll): outer loops every so many iterations, a single one between strips.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

// Before the loops: NestEmitter::pollMasks.
void planPolls(NestEmitter &nest, mlir::OpBuilder &builder);
// Elements from .. to - 1 were done: at most one poll per pollGrain of them.
void pollBetween(NestEmitter &nest, mlir::OpBuilder &builder, mlir::Value from, mlir::Value to);
// The nest is a single loop that may be long.
bool isStripMined(const NestEmitter &nest);
// Strip-mines it: `inner` emits a strip, with a poll between two.
Values
inStrips(NestEmitter &nest, mlir::OpBuilder &builder, mlir::ValueRange accumulators,
         llvm::function_ref<Values(mlir::OpBuilder &, mlir::Value, mlir::Value, mlir::ValueRange)>
             inner);

} // namespace shapecast
