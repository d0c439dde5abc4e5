// shapecast._core._ops: the op table as seen by tests.
#pragma once

#include <pybind11/pybind11.h>

namespace shapecast {
void bindOps(pybind11::module_ &module);
} // namespace shapecast
