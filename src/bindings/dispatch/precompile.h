// Compiling ahead of the first call.
#pragma once

#include "capture/python.h"

namespace shapecast::bindings {

// f.compile(*specs)
PyObject *compileAhead(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *keywords);

} // namespace shapecast::bindings
