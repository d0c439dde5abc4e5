// The type shapecast._core.Jit: a jitted function as Python sees it.
#pragma once

#include "bindings/cache/variants.h"

namespace shapecast::bindings {

struct JitObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    PyObject *dict, *weakReferences;
    JittedFunction *state; // owned
};

bool addJitType(PyObject *module, PyMethodDef *methods); // false with an exception set
extern PyTypeObject JitType;

// Whether the exception that is set is UnsupportedError; then it is cleared, and the first one
// becomes a warning.
bool useFallback(JittedFunction &function);
// For sc_poll (runtime::Poller): true where a signal handler has raised an exception.
bool pollSignals(runtime::Context *ctx, int64_t now);

// __reduce__ (python/shapecast/_pickling.py), and the options that %autoreload copies from the
// reloaded function (_reloading.py).
PyObject *reduceJit(PyObject *self, PyObject *);
PyObject *copyOptions(PyObject *self, PyObject *other);

} // namespace shapecast::bindings
