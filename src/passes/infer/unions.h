// Operations on values of several types.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

bool visitUnionOperand(Inference &in, mlir::Operation *op);

} // namespace shapecast
