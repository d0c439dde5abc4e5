// Captures the functions that the function calls, specialised for arguments that are objects.
#pragma once

#include "capture/emitter.h"
#include "capture/record_classes.h"

namespace shapecast::capture {

// A constructor of the class, as an np.func; the first parameter is the class, or `self`.
std::string captureRecord(FunctionEmitter &f, pybind11::handle type, const RecordClass &record);
// Captures a function for a call, or for its use as a value (`call` is None then), specialised for
// the arguments that are objects.
std::string captureCallee(FunctionEmitter &f, const ExternalRef &callee, pybind11::handle call,
                          pybind11::handle useSite);
// The value of a property: a call of its getter.
mlir::Value emitProperty(FunctionEmitter &f, const ExternalRef &found, pybind11::handle node);

} // namespace shapecast::capture
