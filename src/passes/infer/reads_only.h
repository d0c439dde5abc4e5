// np-infer: captured code that changes nothing, prints and raises nothing, and comes to an end by
// itself, as far as its operations tell. What it computes may be computed before it is asked for.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// What it may do all the same: `x += y`, taken for that of numbers; print, and put items into lists
// and sets, taken for others than those that it reads.
enum class Also { Nothing, Counts, Collects };

// Of what is in the operation: a function, or a loop. Functions that it calls are looked into.
bool readsOnly(Inference &in, mlir::Operation *op, Also also = Also::Nothing);

} // namespace shapecast
