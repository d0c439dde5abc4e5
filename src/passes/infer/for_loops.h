// for loops over iterables: unrolled, counted, or by the iterator protocol.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

void visitForEach(Inference &in, np::ForEachOp op);

} // namespace shapecast
