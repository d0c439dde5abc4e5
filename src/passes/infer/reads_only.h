// np-infer: captured code that changes nothing, prints and raises nothing, and comes to an end by
// itself, as far as its operations tell. What it computes may be computed before it is asked for.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// Of what is in the operation: a function, or a loop. Functions that it calls are looked into.
// `mayCount`: `x += y` is taken for that of numbers.
bool readsOnly(Inference &in, mlir::Operation *op, bool mayCount = false);

} // namespace shapecast
