// out= of functions. Each family of them has its own rules for the dtype and shape of the output
// array, and its own errors.
#pragma once

#include "ops/builder/function.h"

namespace shapecast {

// The function's result, stored to `out` by that NumPy function's rules.
Val callWithOut(TypedBuilder &e, const Function &function, Arguments arguments);

} // namespace shapecast
