// Python code that fails where that is an answer: no such attribute, nothing to keep on disk.
// Ctrl-C is no answer. It may come in any Python code, and is raised again as soon as Python's own
// loop runs, or a loop of compiled code polls.
#pragma once

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

// What has come of an interrupt meanwhile: thrown, so that nobody keeps what was found beside it.
inline void throwInterrupts() {
    if (PyErr_CheckSignals() != 0)
        throw pybind11::error_already_set();
}

// A string that is made once, for names in our own code. Python remembers where it has found an
// attribute if its name is the same object each time. Borrowed.
PyObject *constantName(const char *name);

// As pybind11's getattr and hasattr, which lose interrupts. They throw nothing: calls ask them,
// too.
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
