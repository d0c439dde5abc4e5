#include "bindings/dispatch/profilers.h"

#include <utility>

namespace shapecast::bindings {

static thread_local PyObject *calledNext = nullptr; // borrowed: by the function for the profiler

bool isCalledByProfiled(PyObject *jitted) {
    if (calledNext != jitted)
        return false;
    calledNext = nullptr;
    return true;
}

PyObject *callProfiled(PyObject *jitted, PyObject *&profiled, PyObject *const *arguments,
                       size_t flags, PyObject *keywords) {
    if (!profiled) {
        calledNext = nullptr;
        Ref module = Ref::steal(PyImport_ImportModule("shapecast._profilers"));
        Ref made =
            module ? Ref::steal(PyObject_CallMethod(module.get(), "seen", "O", jitted)) : Ref();
        if (!made)
            return nullptr;
        Py_XSETREF(profiled, made.release());
    }
    Ref function = Ref::share(profiled);
    PyObject *const before = std::exchange(calledNext, jitted);
    PyObject *result = PyObject_Vectorcall(function.get(), arguments, flags, keywords);
    calledNext = before; // also where the profiler raised an exception
    return result;
}

} // namespace shapecast::bindings
