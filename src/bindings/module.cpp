// The Python module shapecast._core.
#define SHAPECAST_IMPORTS_NUMPY
#include "bindings/dispatcher.h"
#include "bindings/ops_module.h"
#include "capture/capture.h"

#include <pybind11/pybind11.h>

namespace py = pybind11;
using namespace shapecast;

PYBIND11_MODULE(_core, m) {
    if (_import_array() < 0 || !bindings::initResults() || !bindings::addJitType(m.ptr()))
        throw py::error_already_set();
    m.attr("__version__") = SHAPECAST_VERSION;
    runtime::setPrinter(&bindings::printItems);
    m.def("live_allocations", &runtime::liveAllocations, "Buffers of compiled code that are not yet freed.");
    m.def("_set_blas_library", [](const std::string &path) { runtime::setBlasLibrary(path.c_str()); });
    bindOps(m);
    capture::bindCapture(m);
    m.def("_needs_blas", &runtime::needsBlas, "Whether no OpenBLAS is in the process and no path is set.");
}
