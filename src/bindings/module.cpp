// The Python module shapecast._core.
#include "capture/capture.h"
#include "ir/np.h"

#include <pybind11/pybind11.h>

PYBIND11_MODULE(_core, m) {
    m.attr("__version__") = SHAPECAST_VERSION;
    shapecast::capture::bindCapture(m);
    m.def("_dialect_loads", [] {
        mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
        return context.getOrLoadDialect<shapecast::np::NpDialect>() != nullptr;
    });
}
