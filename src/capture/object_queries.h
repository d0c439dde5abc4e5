// Questions about objects that are answered at capture: is, isinstance, hasattr, callable.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// `object is None`, `a is b`, `kind == Kind.A`, `kind in (Kind.A, Kind.B)`: constant-folded.
// Null for other comparisons.
mlir::Value emitObjectTest(FunctionEmitter &f, pybind11::handle comparison);
// isinstance(object, class), constant-folded; null where the first argument is not an object.
mlir::Value emitInstanceTest(FunctionEmitter &f, pybind11::handle call);
// The second argument of isinstance, where the first is not an object. An abstract class becomes
// the tuple of our values' classes that are subclasses: numbers.Real int, float, np.float64 ...
mlir::Value emitClass(FunctionEmitter &f, pybind11::handle node);
// getattr(object, "name"), getattr(object, "name", other) and hasattr(object, "name"); null for
// others.
mlir::Value emitAttributeQuery(FunctionEmitter &f, const std::string &function,
                               pybind11::handle call);
// callable(object); null where the argument is not an object.
mlir::Value emitCallableTest(FunctionEmitter &f, pybind11::handle call);
// type(object), as object.__class__; none for other calls.
std::optional<ExternalRef> typeOfCall(FunctionEmitter &f, pybind11::handle call);

} // namespace shapecast::capture
