// DLPack: arrays of one library as arrays of another, without a copy
// (https://dmlc.github.io/dlpack/latest/). Of version 1.0, without what that calls extensions.
#pragma once

#include <pybind11/pybind11.h>

namespace shapecast::bindings {

void bindDlpack(pybind11::module_ &module); // DeviceArray's methods

} // namespace shapecast::bindings
