// Calls of jitted functions while a profiler is on: it sees a Python function of the same name and
// line, which calls the jitted one. Without a profiler this costs one load and a branch.
#pragma once

#include "capture/python.h"

namespace shapecast::bindings {

// Whether it is the function of `callProfiled` that calls `jitted`.
bool isCalledByProfiled(PyObject *jitted);

// Calls it by the Python function `profiled`, which is made at the first call (_profilers.py).
PyObject *callProfiled(PyObject *jitted, PyObject *&profiled, PyObject *const *arguments,
                       size_t flags, PyObject *keywords);

} // namespace shapecast::bindings
