// Python's and NumPy's C interfaces as all files of bindings/ use them, and one owning reference
// type.
#pragma once

#include "capture/numpy.h"

#include <utility>

namespace shapecast::bindings {

class Ref { // an owned reference; needs the interpreter lock
    PyObject *object = nullptr;

public:
    Ref() = default;
    static Ref steal(PyObject *object) {
        Ref ref;
        ref.object = object;
        return ref;
    }
    static Ref share(PyObject *object) { return steal(Py_XNewRef(object)); }
    Ref(Ref &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
    Ref(const Ref &other) : object(Py_XNewRef(other.object)) {}
    Ref &operator=(Ref other) noexcept {
        std::swap(object, other.object);
        return *this;
    }
    ~Ref() { Py_XDECREF(object); }
    PyObject *get() const { return object; }
    PyObject *release() { return std::exchange(object, nullptr); }
    explicit operator bool() const { return object != nullptr; }
};

} // namespace shapecast::bindings
