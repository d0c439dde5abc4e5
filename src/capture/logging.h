// The module logging: loggers, and which of its functions write.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// Names of Logger's methods and of the functions of the module logging.
bool writesLog(const std::string &name);
bool isLogging(pybind11::handle function);
// logging.getLogger("name"), or of __name__.
std::optional<ExternalRef> loggerOfCall(FunctionEmitter &f, pybind11::handle call);

} // namespace shapecast::capture
