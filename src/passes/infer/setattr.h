// Assignments to attributes.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

Val setAttribute(Inference &in, np::MethodOp op);

} // namespace shapecast
