// Calls.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// Of a known function, a method, or a value; operands in Python's order of evaluation.
// A call of a function of ours with one argument.
mlir::Value emitCallOf(FunctionEmitter &f, const pybind11::object &function, mlir::Value argument,
                       pybind11::handle node);
mlir::Value emitCall(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
