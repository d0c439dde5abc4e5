// Annotations of shapes and dtypes in the signature.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

void checkAnnotations(Inference &in);

} // namespace shapecast
