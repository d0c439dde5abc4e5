// Sizes that Python gives: ints, and expressions over symbolic sizes.
#pragma once

#include "ir/np.h"

#include <pybind11/pybind11.h>

namespace shapecast::bindings {

struct Dim { // _core.Dim
    np::DimAttr e;
};

np::DimAttr sizeOf(pybind11::handle size); // of an int or a Dim; throws error_already_set

} // namespace shapecast::bindings
