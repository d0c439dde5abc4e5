// From bound arguments to the key and slots of a call.
#pragma once

#include "bindings/cache/variants.h"

namespace shapecast::bindings {

// Captures the function if need be, then reads the arguments. False with an exception set, or
// without one where call.nested says that flattenArguments() (flatten.h) has to take them.
bool prepareCall(JittedFunction &function, PyObject *const *arguments, Call &call);

} // namespace shapecast::bindings
