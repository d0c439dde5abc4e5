// Assignments, and del.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// The targets of `a, *b, (c, d) = value`, without stars, each with its part of the value.
std::vector<std::pair<pybind11::object, mlir::Value>>
unpack(FunctionEmitter &f, pybind11::handle target, mlir::Value value);
// target = value, for any kind of target.
void assign(FunctionEmitter &f, pybind11::handle target, mlir::Value value);
// `a, b = b, a` needs no tuple: all values first, then the targets from left to right.
void assignFrom(FunctionEmitter &f, pybind11::handle target, pybind11::handle value);
// target op= value
void augAssign(FunctionEmitter &f, const Statement &s);
// del of variables and items.
void deleteNames(FunctionEmitter &f, const Statement &s);

} // namespace shapecast::capture
