// The process's one MLIR context.
#pragma once

#include "mlir/IR/MLIRContext.h"

namespace shapecast {

// Threading is off: one compilation at a time. compile() loads the dialects it needs.
mlir::MLIRContext &context();

} // namespace shapecast
