// Reductions along outer axes (NestForm::Rows): accumulators in the output's row, which is passed
// over once for each reduced point.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

// Elements of an output row that stay in the first-level cache while rows are added.
inline constexpr int64_t rowBlock = 2048;
void emitRows(NestEmitter &nest, mlir::OpBuilder &builder, const NestPoint &point);

} // namespace shapecast
