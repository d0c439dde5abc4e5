// Python's lists, dicts and sets from containers in memory (runtime/containers.h).
#pragma once

#include "bindings/call/arguments.h"

#include <string>

namespace shapecast::bindings {

// Of the container whose words are in that array. A new object, or null with an exception set.
// `form` says how entries are composed: L, D, S: a list, dict, set, with the forms of its key and
// value; i, b, f: a Python int, bool, float; s and NumPy's character: its scalar; w and a scalar:
// that, or Python's where a flag is set; W: the same with a Python number of its own; V: or this
// constant, by kind and word; tN: a tuple of N; o: or None; n: None; cN: a string of N bytes; x:
// nothing. Containers that are one object become one.
PyObject *containerObject(const std::string &form, PyObject *words);

} // namespace shapecast::bindings
