#pragma once

#include <pybind11/pybind11.h>

namespace shapecast::bindings {

void bindShapes(pybind11::module_ &core); // the submodule `shapes`

} // namespace shapecast::bindings
