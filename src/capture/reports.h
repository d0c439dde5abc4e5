// Output of programs: print, warnings and logging.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// print(...) as a statement.
void emitPrint(FunctionEmitter &f, pybind11::handle call);
// warnings.warn(message, category, stacklevel), with its file and line in the user's source.
mlir::Value emitWarning(FunctionEmitter &f, pybind11::handle call);
// logging.info(...), log.info(...): calls Python's function from a frame with the call's file and
// line. A logger is identified by its name.
mlir::Value emitLog(FunctionEmitter &f, const ExternalRef &called, pybind11::handle call);

} // namespace shapecast::capture
