// The type shapecast._core.Jit: a jitted function as Python sees it.
#pragma once

#include "bindings/variants.h"

namespace shapecast::bindings {

struct JitObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    PyObject *dict, *weakReferences;
    JittedFunction *state; // owned
};

bool addJitType(PyObject *module); // false with an exception set
extern PyTypeObject JitType;

// Positional and keyword arguments in the order of the parameters, defaults filled in. False:
// TypeError as Python's.
struct BoundArguments {
    llvm::SmallVector<PyObject *, 16> objects;
    Ref rest, others; // what *args and **kwargs take, the last objects
};
bool bindArguments(JittedFunction &function, PyObject *const *arguments, Py_ssize_t positional,
                   PyObject *keywords, BoundArguments &bound);
// Captures if need be, then reads the arguments.
bool prepareCall(JittedFunction &function, PyObject *const *arguments, Call &call);

// Whether the exception set is UnsupportedError; then it is cleared, and the first time becomes a
// warning.
// After `f.__code__ = another`: reads the parameters again. False with an exception set.
bool takeNewCode(JittedFunction &function);
bool takeFallback(JittedFunction &function);
// f.compile(*specs) (precompile.cpp).
PyObject *compileAhead(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *keywords);

// What sc_poll asks (runtime::Poller).
bool pollSignals(runtime::Context *ctx, int64_t now);

// __reduce__ (python/shapecast/_pickling.py), and what %autoreload gives an object when its
// function has got new code (_reloading.py).
PyObject *reduceJit(PyObject *self, PyObject *);
PyObject *takeOptions(PyObject *self, PyObject *other);

// Methods infer, stages, remarks, signatures, explain (inspect.cpp).
extern PyMethodDef jitMethods[];
// An object of a class of shapecast._show that is made from this one (a reference is taken over),
// and what that module asks of a jitted function (look.cpp).
PyObject *shown(const char *kind, PyObject *plain);
PyObject *showHtml(PyObject *self, PyObject *);
PyObject *variantsOf(PyObject *self, PyObject *);
PyObject *lookAt(PyObject *self, PyObject *index);

} // namespace shapecast::bindings
