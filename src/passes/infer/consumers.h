// np-infer: consumers, the bodies of loops over generators, which `yield` calls (generators.h).
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// Emits the loop's body for this item; returns whether the loop goes on.
Val consume(Inference &in, const Val &consumer, const Val &item);

} // namespace shapecast
