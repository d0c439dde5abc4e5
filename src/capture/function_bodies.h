// A function: finds its source, declares the np.func, emits the body.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// Finds the function's source, declares the np.func and emits its body. Throws CaptureError.
void emitFunction(FunctionEmitter &f);

} // namespace shapecast::capture
