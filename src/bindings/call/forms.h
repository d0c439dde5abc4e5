// Forms of lists, dicts, sets and strings that calls pass as one argument, for compiled code to
// have them in memory: see containers.h for what a form says.
#pragma once

#include "capture/python.h"

#include <string>

namespace shapecast::bindings {

inline bool mayBeInMemory(PyObject *object) {
    return PyList_CheckExact(object) || PyDict_CheckExact(object) || PySet_CheckExact(object);
}

// The number of the object's form; negative: it has none, since its items are of several kinds, or
// of a kind that is not stored in memory, or one container is in two of its places. Nothing raises.
int32_t formNumberOf(PyObject *object);
const std::string &formOfNumber(int32_t number);
std::string formText(const std::string &form); // "dict[str, list[int]]"

} // namespace shapecast::bindings
