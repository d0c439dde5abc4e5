// Members of a Flag as values.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// An instance of our class for the Flag (library/flags.py), whose attribute is the value; null: of
// another object.
mlir::Value emitFlag(FunctionEmitter &f, pybind11::handle member);

} // namespace shapecast::capture
