// C loops of ufunc objects, for compiled code (runtime/ufunc_loops.h).
#pragma once

#include "capture/python.h"

#include <string>

namespace shapecast::bindings {

// Registers the loop of ufunc.types[number] under that name, and keeps the ufunc alive. False where
// compiled code cannot call it.
bool addUfuncLoop(const std::string &name, PyObject *ufunc, int number);
// Whether an exception is set in this thread; needs no interpreter lock.
bool hasRaised();

} // namespace shapecast::bindings
