// Python ints of up to 128 bits as the two words that compiled code has them in.
#pragma once

#include "capture/python.h"

#include <cstdint>

namespace shapecast::bindings {

// The low and the high word; false, without an exception, where it is beyond 128 bits.
bool wideIntWords(PyObject *integer, int64_t *words);
PyObject *wideIntObject(const int64_t *words); // a new reference

} // namespace shapecast::bindings
