// Names: what they refer to outside the function.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// A name that no enclosing function assigns: a closure cell, global or builtin, in Python's order.
std::optional<ExternalRef> lookUpName(FunctionEmitter &f, pybind11::handle node);
// Raises NameError at run time, when control reaches it.
mlir::Value emitUndefinedName(FunctionEmitter &f, const std::string &name);

} // namespace shapecast::capture
