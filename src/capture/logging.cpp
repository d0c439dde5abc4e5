#include "capture/logging.h"

#include "capture/dependencies.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

// Names of Logger's methods and of the functions of the module logging.
bool writesLog(const std::string &name) {
    return llvm::is_contained(
        {"debug", "info", "warning", "warn", "error", "critical", "fatal", "log"}, name);
}

bool isLogging(py::handle function) {
    static const std::string module = "logging";
    if (!PyFunction_Check(function.ptr()) || stringAttribute(function, "__module__") != module)
        return false;
    const std::string name = stringAttribute(function, "__name__");
    return writesLog(name) || name == "exception" || name == "isEnabledFor";
}

std::optional<ExternalRef> loggerOfCall(FunctionEmitter &f, py::handle call) {
    py::object callee = field(call, "func"), given = field(call, "args");
    const bool named =
        kindOf(callee) == Kind::Attribute
            ? identifier(callee, "attr") == "getLogger"
            : kindOf(callee) == Kind::Name && !f.isLocalOrCaptured(identifier(callee, "id"));
    if (!named || py::len(given) > 1 || py::len(field(call, "keywords")))
        return std::nullopt;
    std::optional<ExternalRef> found = resolve(f, callee);
    const py::object known = py::module_::import("logging").attr("getLogger");
    if (!found || !found->object.is(known))
        return std::nullopt;
    py::object name = py::none();
    if (py::len(given)) {
        const py::object node = given[py::int_(0)];
        std::optional<ExternalRef> external =
            kindOf(node) == Kind::Name ? lookUp(f, node) : std::nullopt;
        if (external)
            f.session.addGuard(*external);
        name = kindOf(node) == Kind::Constant ? field(node, "value")
               : external                     ? external->object
                                              : py::object();
    }
    if (!name || !(name.is_none() || PyUnicode_Check(name.ptr())))
        return std::nullopt;
    f.session.result.isPortable = false;
    return ExternalRef{known(name), {}, "logger"};
}

} // namespace shapecast::capture
