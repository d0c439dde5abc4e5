// The type shapecast._core.Jit: a jitted function as Python sees it.
#pragma once

#include "bindings/cache/variants.h"

namespace shapecast::bindings {

struct JitObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    PyObject *dict, *weakReferences;
    JittedFunction *state; // owned
    PyObject *profiled;    // what calls it while a profiler is on (dispatch/profilers.h), or null
};

bool addJitType(PyObject *module, PyMethodDef *methods); // false with an exception set
extern PyTypeObject JitType;

// While it is disabled, calls run the plain functions (python/shapecast/_disabling.py).
void setDisabled(bool disabled);
bool isDisabled();

// Whether the exception that is set is UnsupportedError; then it is cleared, and the first one
// becomes a warning.
bool useFallback(JittedFunction &function);
// For sc_poll (runtime::Poller): true where a signal handler has raised an exception.
bool pollSignals(runtime::Context *ctx, int64_t now);

// _call_on(ordinal, *args, **kwargs): a call of what f.on() makes (python/shapecast/_devices.py).
PyObject *callOnDevice(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *keywords);

// __reduce__ (python/shapecast/_pickling.py), and the options that %autoreload copies from the
// reloaded function (_reloading.py).
PyObject *reduceJit(PyObject *self, PyObject *);
PyObject *copyOptions(PyObject *self, PyObject *other);

} // namespace shapecast::bindings
