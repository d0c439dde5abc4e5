// Mutable object state: attributes that a function assigns, and lists and dicts in objects.
//
// np-infer makes a dict or list of them (bindStates), np.global refers to it, and its contents when
// the function returns are written back to the objects (bindings/call/changed_objects.h).
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// An attribute that the function assigns, or a list, dict or tuple in an object; null for others.
mlir::Value emitStateValue(FunctionEmitter &f, const ExternalRef &found, pybind11::handle node);
// owner.name = value; restarts the capture where it is the first assignment of the attribute.
void assignObjectAttribute(FunctionEmitter &f, const ExternalRef &owner, pybind11::handle target,
                           mlir::Value value);

} // namespace shapecast::capture
