// Python's and NumPy's C interfaces. All files of the module share the table of NumPy's functions,
// which module.cpp fills.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define PY_ARRAY_UNIQUE_SYMBOL shapecast_numpy_api
#ifndef SHAPECAST_IMPORTS_NUMPY // module.cpp
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
