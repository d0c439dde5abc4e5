// Whether a call can be restarted with other code (deoptimised) where an assumption about values
// fails (`speculate` in python/shapecast/library/primitives.py).
//
// Before: a function as np-infer leaves it; such a check is an np.require with
// `failedAssumptionError` (ir/error_names.h). After: the error is `lateFailedAssumptionError`
// where a visible side effect may precede the check: a store to an argument, print, a call of
// Python. (Draws from a random generator are tracked at run time.)
#pragma once

#include "ir/error_names.h"
#include "ir/np.h"

namespace shapecast {

void markDeoptimisations(np::FuncOp func);

} // namespace shapecast
