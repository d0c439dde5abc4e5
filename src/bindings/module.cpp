// The Python module shapecast._core.
#include "bindings/ops_module.h"
#include "ir/np.h"

#include <pybind11/pybind11.h>

PYBIND11_MODULE(_core, m) {
    m.attr("__version__") = SHAPECAST_VERSION;
    shapecast::bindOps(m);
    m.def("_dialect_loads", [] {
        mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
        return context.getOrLoadDialect<shapecast::np::NpDialect>() != nullptr;
    });
}
