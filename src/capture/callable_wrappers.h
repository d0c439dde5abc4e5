// Callables made of other functions: functools.partial, np.vectorize and the like, super().
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

bool isCallableWrapper(pybind11::handle object);
// The value that our library's function of that name returns.
mlir::Value emitCallableWrapper(FunctionEmitter &f, const ExternalRef &found,
                                pybind11::handle node);
// super().name: of the first class after this one in the __mro__ that has it.
std::optional<ExternalRef> inherited(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
