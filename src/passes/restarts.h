// Whether a call can begin again where it finds that values are not as its code assumed (`assumed`
// in python/shapecast/library/primitives.py).
//
// Before: a function as np-infer leaves it; such a place is an np.require with `restartError`
// (ir/restart.h). After: the error is `lateRestartError` where something that is seen outside may
// have been done when control comes there: a store to an argument, print, a call of Python. (That
// numbers have been drawn from a generator is known at run time.)
#pragma once

#include "ir/np.h"

namespace shapecast {

void markRestarts(np::FuncOp func);

} // namespace shapecast
