// Kinds of objects that compiled code only passes on to Python.
#pragma once

#include "capture/python.h"

#include <cstdint>
#include <string>

namespace shapecast::bindings {

// The number of an object's kind: its class and what else compiled calls with it depend on; see
// kind_of in _callouts.py. Negative with an exception set.
int32_t opaqueKindOf(PyObject *object);
std::string opaqueKindName(int32_t kind);

} // namespace shapecast::bindings
