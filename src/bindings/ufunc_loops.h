// C loops of ufunc objects, for compiled code (runtime/ufunc_loops.h).
#pragma once

#include "bindings/python.h"

#include <string>

namespace shapecast::bindings {

// Makes the loop `number` of ufunc.types known under that name, and keeps the ufunc. False where it
// has none that compiled code can call.
bool addUfuncLoop(const std::string &name, PyObject *ufunc, int number);
// Whether this thread has an exception; asked with Python's lock or without.
bool hasRaised();

} // namespace shapecast::bindings
