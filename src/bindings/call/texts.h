// Python's strings from those in memory (runtime/text.h), and these from Python's.
#pragma once

#include "capture/python.h"
#include "runtime/text.h"

namespace shapecast::bindings {

Ref textObject(const runtime::Text &text); // null with an exception set
// Fills the string in memory with a Python string's characters. False: no memory.
bool readText(runtime::Context *ctx, runtime::Text &out, PyObject *string);
// The string that a regular expression is read as (library/regular_expressions.py).
Ref keyOfPattern(PyObject *pattern);
void setTextCallbacks();

} // namespace shapecast::bindings
