// Output of programs: print, warnings and logging.
#include "capture/emitter.h"
#include "capture/interrupts.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

// Sets a keyword of print(): sep, end, flush or file, a constant. False for others.
bool FunctionEmitter::setPrintOption(np::PrintOp::Properties &options, const std::string &name,
                                     py::handle node) {
    const py::object value = kindOf(node) == Kind::Constant ? field(node, "value") : py::object();
    const bool text = name == "sep" || name == "end";
    if (text && value && py::isinstance<py::str>(value)) {
        (name == "sep" ? options.sep : options.end) = builder.getStringAttr(capture::text(value));
        return true;
    }
    if (name == "flush" && value && PyBool_Check(value.ptr())) {
        options.flush = builder.getBoolAttr(value.ptr() == Py_True);
        return true;
    }
    if (name != "file")
        return false;
    if (value && value.is_none()) {
        options.file = builder.getStringAttr("");
        return true;
    }
    if (kindOf(node) != Kind::Attribute)
        return false;
    std::optional<ExternalRef> module = resolve(field(node, "value"));
    const std::string stream = identifier(node, "attr"); // looked up by each print
    if (!module || !module->object.is(py::module_::import("sys")) ||
        (stream != "stdout" && stream != "stderr"))
        return false;
    options.file = builder.getStringAttr(stream);
    return true;
}

void FunctionEmitter::printCall(py::handle call) {
    SmallVector<Value> values;
    np::PrintOp::Properties options;
    for (py::handle keyword : field(call, "keywords")) {
        py::object name = field(keyword, "arg"), value = field(keyword, "value");
        if (name.is_none() || !setPrintOption(options, text(name), value))
            unsupported(value, "print(...) takes sep, end and flush, which are constants here, and "
                               "file, which is sys.stdout, sys.stderr or None; leave others out");
    }
    positional(call, values);
    if (values.empty()) // print() is print("")
        values.push_back(staticValue("str", ""));
    np::PrintOp::create(builder, loc, values).getProperties() = options;
}

// warnings.warn(message, category, stacklevel), with its file and line in the user's source.
Value FunctionEmitter::warnCall(py::handle call) {
    SmallVector<Value> given(3);
    const std::array names{"message", "category", "stacklevel"};
    for (auto [i, argument] : llvm::enumerate(field(call, "args")))
        if (i < 3)
            given[i] = expression(argument);
    bool known = py::len(field(call, "args")) <= 3;
    for (py::handle keyword : field(call, "keywords")) {
        py::object name = field(keyword, "arg");
        auto found = llvm::find_if(
            names, [&](const char *one) { return !name.is_none() && text(name) == one; });
        known &= found != names.end() && !given[size_t(found - names.begin())];
        if (known)
            given[size_t(found - names.begin())] = expression(field(keyword, "value"));
    }
    if (!known || !given[0])
        unsupported(call, "warnings.warn takes a message, a category and a stacklevel here");
    if (!given[1])
        given[1] = staticValue("exception", "builtins.UserWarning");
    if (!given[2])
        given[2] = constant(py::int_(1), call);
    setLocation(call);
    py::object module = function.attr("__globals__").attr("get")("__name__", "<string>");
    given.append({staticValue("str", file), constant(py::int_(rangeOf(call).line), call),
                  staticValue("str", text(module))});
    return callNamed("shapecast._objects.warned", given);
}

// Names of Logger's methods and of the functions of the module logging.
static bool writesLog(const std::string &name) {
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

// logging.getLogger("name"), or of __name__.
std::optional<ExternalRef> FunctionEmitter::getLoggerCall(py::handle call) {
    py::object callee = field(call, "func"), given = field(call, "args");
    const bool named =
        kindOf(callee) == Kind::Attribute
            ? identifier(callee, "attr") == "getLogger"
            : kindOf(callee) == Kind::Name && !isLocalOrCaptured(identifier(callee, "id"));
    if (!named || py::len(given) > 1 || py::len(field(call, "keywords")))
        return std::nullopt;
    std::optional<ExternalRef> found = resolve(callee);
    const py::object known = py::module_::import("logging").attr("getLogger");
    if (!found || !found->object.is(known))
        return std::nullopt;
    py::object name = py::none();
    if (py::len(given)) {
        const py::object node = given[py::int_(0)];
        std::optional<ExternalRef> external =
            kindOf(node) == Kind::Name ? lookUp(node) : std::nullopt;
        if (external)
            session.addGuard(*external);
        name = kindOf(node) == Kind::Constant ? field(node, "value")
               : external                     ? external->object
                                              : py::object();
    }
    if (!name || !(name.is_none() || PyUnicode_Check(name.ptr())))
        return std::nullopt;
    session.result.isPortable = false;
    return ExternalRef{known(name), {}, "logger"};
}

// logging.info(...), log.info(...): calls Python's function from a frame with the call's file and
// line. A logger is identified by its name.
Value FunctionEmitter::logCall(const ExternalRef &called, py::handle call) {
    const std::string name = text(called.object.attr("__name__"));
    SmallVector<Value> given{none()};
    if (called.receiver) {
        const py::object logger = called.receiver->object;
        const py::object known = py::module_::import("logging").attr("getLogger");
        if (!hasAttribute(logger, "manager") || !known(logger.attr("name")).is(logger))
            unsupported(call, "a logger that logging.getLogger does not give is not supported");
        given[0] = externalValue(*objectAttribute(*called.receiver, "name", call), call);
    }
    auto isFalse = [](py::handle value) {
        return kindOf(value) == Kind::Constant && PyObject_Not(field(value, "value").ptr()) == 1;
    };
    bool ofException = name == "exception";
    for (py::handle keyword : field(call, "keywords"))
        ofException |= !field(keyword, "arg").is_none() &&
                       text(field(keyword, "arg")) == "exc_info" &&
                       !isFalse(field(keyword, "value"));
    if (ofException)
        unsupported(call, "compiled code has no traceback to log; log the exception: "
                          "log.error(\"...: %r\", error)");
    py::object module = function.attr("__globals__").attr("get")("__name__", "<string>");
    const std::string here = qualifiedName.substr(qualifiedName.rfind('.') + 1);
    // Python counts a call at the line of the method's name.
    const py::object callee = field(call, "func");
    const unsigned line =
        kindOf(callee) == Kind::Attribute ? rangeOf(callee).endLine : rangeOf(call).line;
    given.append({staticValue("str", name), staticValue("str", file),
                  constant(py::int_(line), call), staticValue("str", here),
                  staticValue("str", text(module))});
    ArrayAttr names = arguments(call, given);
    setLocation(call);
    const char *target = writesLog(name) ? "shapecast._objects.logged" : "shapecast._objects.logs";
    return np::CallOp::create(builder, loc, any, target, given, names, ArrayAttr(), ArrayAttr())
        .getResult();
}

} // namespace shapecast::capture
