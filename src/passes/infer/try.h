// try statements.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

void visitAttempt(Inference &in, np::TryOp op);

} // namespace shapecast
