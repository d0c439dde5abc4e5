// Swallows exceptions of Python code where failing is an answer (no such attribute, nothing to keep
// on disk), but not KeyboardInterrupt: it may arrive in any Python code, and is raised again as
// soon as Python's interpreter loop runs, or a loop of compiled code polls.
#pragma once

#include "capture/python.h"

#include <pybind11/pybind11.h>

#include <exception>

namespace shapecast::capture {

inline void forgetError() {
    const bool isInterrupt = PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    PyErr_Clear();
    if (isInterrupt)
        PyErr_SetInterrupt();
}

inline void forgetError(const std::exception &error) {
    const auto *python = dynamic_cast<const pybind11::error_already_set *>(&error);
    if (python && python->matches(PyExc_KeyboardInterrupt))
        PyErr_SetInterrupt();
}

// Throws a pending interrupt, so that results found in the meantime are not kept.
inline void throwInterrupts() {
    if (PyErr_CheckSignals() != 0)
        throw pybind11::error_already_set();
}

// An interned string, created once, for names in our own code: Python's attribute caches hit if the
// name is the same object each time. Borrowed.
PyObject *constantName(const char *name);

// As pybind11's getattr and hasattr, which lose interrupts. They throw nothing: each call of a
// jitted function uses them.
inline pybind11::object attributeIfAny(pybind11::handle object, const char *name) {
    PyObject *value = PyObject_GetAttr(object.ptr(), constantName(name));
    if (!value)
        forgetError();
    return pybind11::reinterpret_steal<pybind11::object>(value);
}

inline pybind11::object attributeOrNone(pybind11::handle object, const char *name) {
    pybind11::object value = attributeIfAny(object, name);
    return value ? value : pybind11::none();
}

inline bool hasAttribute(pybind11::handle object, const char *name) {
    return bool(attributeIfAny(object, name));
}

} // namespace shapecast::capture
