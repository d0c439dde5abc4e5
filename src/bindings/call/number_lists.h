// Lists of numbers, which compiled code has as arrays.
#pragma once

#include "capture/python.h"

namespace shapecast::bindings {

// An array of the items of a list of floats or of ints; null without an exception for other lists.
Ref numbersOf(PyObject *list);
PyObject *listOfNumbers(PyArrayObject *array); // array.tolist() of one axis

} // namespace shapecast::bindings
