// Values that are part of a call's key: names of axes, dtypes, functions of NumPy ...
#pragma once

#include "capture/python.h"

#include "mlir/IR/Attributes.h"

#include <cstdint>

namespace shapecast::bindings {

// Whether the value may be static: None, Ellipsis, str, dtypes, types, NumPy's functions, numbers,
// and tuples of those.
bool isStatic(PyObject *object);

// Static values are numbered, once per process; equal ones share a number. Negative with an
// exception set.
int32_t staticNumber(PyObject *object);
PyObject *staticObject(int32_t number); // borrowed
// Needs the compile lock.
mlir::Attribute staticAttribute(mlir::MLIRContext &context, PyObject *object);

} // namespace shapecast::bindings
