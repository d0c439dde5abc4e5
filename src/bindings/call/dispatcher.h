// The type shapecast._core.Jit: a jitted function as Python sees it.
#pragma once

#include "bindings/cache/variants.h"

namespace shapecast::bindings {

struct JitObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    PyObject *dict, *weakReferences;
    JittedFunction *state; // owned
};

bool addJitType(PyObject *module); // false with an exception set
extern PyTypeObject JitType;

// Positional and keyword arguments in the order of the parameters, defaults filled in.
struct BoundArguments {
    llvm::SmallVector<PyObject *, 16> objects;
    Ref varArgs, varKeywords; // of *args and **kwargs: the last of `objects`
};
// False with an exception set, Python's own TypeError where the arguments do not fit.
bool bindArguments(JittedFunction &function, PyObject *const *arguments, Py_ssize_t positional,
                   PyObject *keywords, BoundArguments &bound);
// Captures the function if need be, then reads the arguments. False with an exception set, or
// without one where call.nested says that flattenArguments() (flatten.h) has to take them.
bool prepareCall(JittedFunction &function, PyObject *const *arguments, Call &call);

// After `f.__code__ = other`: reads the parameters again. False with an exception set.
bool readNewCode(JittedFunction &function);
// Whether the exception that is set is UnsupportedError; then it is cleared, and the first one
// becomes a warning.
bool useFallback(JittedFunction &function);
// f.compile(*specs) (precompile.cpp).
PyObject *compileAhead(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *keywords);

// For sc_poll (runtime::Poller): true where a signal handler has raised an exception.
bool pollSignals(runtime::Context *ctx, int64_t now);

// __reduce__ (python/shapecast/_pickling.py), and the options that %autoreload copies from the
// reloaded function (_reloading.py).
PyObject *reduceJit(PyObject *self, PyObject *);
PyObject *copyOptions(PyObject *self, PyObject *other);

// Methods infer, stages, remarks, signatures, explain (inspect.cpp).
extern PyMethodDef jitMethods[];
// inspect_variant.cpp: `plain` as an object of that class of shapecast._show (steals the
// reference), and what that module reads of a jitted function.
PyObject *shown(const char *kind, PyObject *plain);
PyObject *showHtml(PyObject *self, PyObject *);
PyObject *variantsOf(PyObject *self, PyObject *);
PyObject *inspectVariant(PyObject *self, PyObject *index);

} // namespace shapecast::bindings
