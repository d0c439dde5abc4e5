// Members of an Enum as values: constants, of which code knows the name and a plain value.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

bool isEnumClass(pybind11::handle object); // with members
// Of a member that is not its value, as those of an IntEnum are, and whose class has no operators
// of its own, as a Flag has.
bool isPlainMember(pybind11::handle object);
mlir::Value emitMember(FunctionEmitter &f, pybind11::handle member);

} // namespace shapecast::capture
