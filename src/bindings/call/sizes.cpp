#include "bindings/call/sizes.h"

#include "context.h"

namespace py = pybind11;

namespace shapecast::bindings {

np::DimAttr sizeOf(py::handle size) {
    if (py::isinstance<Dim>(size))
        return py::cast<const Dim &>(size).e;
    const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(size.ptr()));
    if (!index)
        throw py::error_already_set();
    const int64_t value = PyLong_AsLongLong(index.ptr());
    if (value == -1 && PyErr_Occurred()) // OverflowError
        throw py::error_already_set();
    return np::dimConst(&context(), value);
}

} // namespace shapecast::bindings
