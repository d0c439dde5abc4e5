// Unary and binary operators, and comparisons.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

std::string binaryName(pybind11::handle op);
// a + b + c + ..., with a loop in place of recursion: chains may be long.
mlir::Value emitBinary(FunctionEmitter &f, pybind11::handle node);
// -a, +a, ~a, not a
mlir::Value emitUnary(FunctionEmitter &f, pybind11::handle node);
// `a < b < c` is `a < b and b < c` with b evaluated once.
mlir::Value emitComparison(FunctionEmitter &f, pybind11::handle node, mlir::Value left,
                           size_t index);

} // namespace shapecast::capture
