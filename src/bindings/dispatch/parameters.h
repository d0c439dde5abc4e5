// The parameters of a jitted function, from its code object and its options.
#pragma once

#include "capture/python.h"

namespace shapecast::bindings {

class JittedFunction;

// Of the plain function; false with an exception set.
bool readParameters(JittedFunction &state, PyObject *function);
// After readParameters(): the parameters that are static by static_argnames. False with an
// exception set.
bool readStaticNames(JittedFunction &state, PyObject *staticArgnames);
// After `f.__code__ = other`: reads the parameters again. False with an exception set.
bool readNewCode(JittedFunction &function);

} // namespace shapecast::bindings
