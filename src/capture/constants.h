// Attributes for Python objects that are constants of the compiled code.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// The attribute and type of a Python number; null for other objects.
mlir::Attribute numberAttr(Session &session, pybind11::handle object, mlir::Type &type);
// The compile-time value of None, a string, a dtype ...; null for other objects.
mlir::Attribute staticAttr(Session &session, pybind11::handle object);
// The constant that a parameter's default is; null: it is not one.
mlir::Attribute defaultAttr(Session &session, pybind11::handle value);

} // namespace shapecast::capture
