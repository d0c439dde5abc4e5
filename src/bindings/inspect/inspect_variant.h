// What python/shapecast/_show.py reads of a jitted function.
#pragma once

#include "capture/python.h"

namespace shapecast::bindings {

// `plain` as an object of that class of shapecast._show (steals the reference).
PyObject *shown(const char *kind, PyObject *plain);
PyObject *showHtml(PyObject *self, PyObject *);
PyObject *showRich(PyObject *self, PyObject *);
PyObject *showPlain(PyObject *self, PyObject *); // prints it
PyObject *variantsOf(PyObject *self, PyObject *);
// Of calls within shapecast.profile(): the times of the rows of each variant.
PyObject *timesOf(PyObject *self, PyObject *);
PyObject *inspectVariant(PyObject *self, PyObject *index);

} // namespace shapecast::bindings
