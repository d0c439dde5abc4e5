// Sizes and shape rules for Python.
#pragma once

#include "ir/np.h"

#include <pybind11/pybind11.h>

namespace shapecast::bindings {

void bindShapes(pybind11::module_ &core); // the classes Dim and ShapeScope
// The sizes of a sequence of ints and Dims; false with an exception set.
bool readSizes(PyObject *shape, llvm::SmallVectorImpl<np::DimAttr> &sizes);

} // namespace shapecast::bindings
