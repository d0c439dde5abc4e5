// super() in methods of instances that compiled code makes.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// super().name(...), or super().name of a property: the member of the next class, called; null for
// other expressions.
mlir::Value emitInheritedCall(FunctionEmitter &f, pybind11::handle call);
mlir::Value emitInheritedAttribute(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
