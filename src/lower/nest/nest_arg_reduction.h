// argmax and argmin (NestForm::ArgReduction), by blocks.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

void emitArgReduction(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point);

} // namespace shapecast
