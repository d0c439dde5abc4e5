// Calls.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// Of a known function, a method, or a value; operands in Python's order of evaluation.
mlir::Value emitCall(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
