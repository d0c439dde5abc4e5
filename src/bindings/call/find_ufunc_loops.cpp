// Reads C loops from ufunc objects.
#include "bindings/call/find_ufunc_loops.h"
#include "runtime/ufunc_loops.h"

#include <numpy/ufuncobject.h>

namespace shapecast::bindings {

bool addUfuncLoop(const std::string &name, PyObject *object, int number) {
    if (Py_TYPE(object)->tp_basicsize < Py_ssize_t(offsetof(PyUFuncObject, core_enabled)))
        return false;
    const auto *ufunc = reinterpret_cast<const PyUFuncObject *>(object);
    if (number >= ufunc->ntypes || ufunc->nargs > runtime::maxLoopArguments ||
        !ufunc->functions[number])
        return false;
    runtime::UfuncLoop loop{ufunc->functions[number],
                            ufunc->data ? ufunc->data[number] : nullptr,
                            ufunc->nin,
                            ufunc->nout,
                            {}};
    for (int k = 0; k < ufunc->nargs; ++k) {
        PyArray_Descr *dtype = PyArray_DescrFromType(ufunc->types[number * ufunc->nargs + k]);
        if (!dtype)
            return false;
        loop.itemSizes[k] = PyDataType_ELSIZE(dtype);
        Py_DECREF(dtype);
    }
    Py_INCREF(object); // for as long as the process lives, as the loop does
    runtime::addUfuncLoop(name, loop);
    return true;
}

// By the thread's own state: without the lock another thread's state may be the current one.
bool hasRaised() {
    const PyThreadState *own = PyGILState_GetThisThreadState();
#if PY_VERSION_HEX >= 0x030c0000
    return own && own->current_exception;
#else
    return own && own->curexc_type;
#endif
}

} // namespace shapecast::bindings
