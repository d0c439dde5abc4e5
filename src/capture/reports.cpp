#include "capture/reports.h"

#include "capture/arguments.h"
#include "capture/interrupts.h"
#include "capture/logging.h"
#include "capture/objects.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

// Sets a keyword of print(): sep, end, flush or file, a constant. False for others.
static bool setPrintOption(FunctionEmitter &f, np::PrintOp::Properties &options,
                           const std::string &name, py::handle node) {
    const py::object value = kindOf(node) == Kind::Constant ? field(node, "value") : py::object();
    const bool text = name == "sep" || name == "end";
    if (text && value && py::isinstance<py::str>(value)) {
        (name == "sep" ? options.sep : options.end) = f.builder.getStringAttr(capture::text(value));
        return true;
    }
    if (name == "flush" && value && PyBool_Check(value.ptr())) {
        options.flush = f.builder.getBoolAttr(value.ptr() == Py_True);
        return true;
    }
    if (name != "file")
        return false;
    if (value && value.is_none()) {
        options.file = f.builder.getStringAttr("");
        return true;
    }
    if (kindOf(node) != Kind::Attribute)
        return false;
    std::optional<ExternalRef> module = resolve(f, field(node, "value"));
    const std::string stream = identifier(node, "attr"); // looked up by each print
    if (!module || !module->object.is(py::module_::import("sys")) ||
        (stream != "stdout" && stream != "stderr"))
        return false;
    options.file = f.builder.getStringAttr(stream);
    return true;
}

void emitPrint(FunctionEmitter &f, py::handle call) {
    SmallVector<Value> values;
    np::PrintOp::Properties options;
    for (py::handle keyword : field(call, "keywords")) {
        py::object name = field(keyword, "arg"), value = field(keyword, "value");
        if (name.is_none() || !setPrintOption(f, options, text(name), value))
            unsupported(value, "print(...) takes sep, end and flush, which are constants here, and "
                               "file, which is sys.stdout, sys.stderr or None; leave others out");
    }
    emitPositional(f, call, values);
    if (values.empty()) // print() is print("")
        values.push_back(f.staticValue("str", ""));
    np::PrintOp::create(f.builder, f.loc, values).getProperties() = options;
}

Value emitWarning(FunctionEmitter &f, py::handle call) {
    SmallVector<Value> given(3);
    const std::array names{"message", "category", "stacklevel"};
    for (auto [i, argument] : llvm::enumerate(field(call, "args")))
        if (i < 3)
            given[i] = emitExpression(f, argument);
    bool known = py::len(field(call, "args")) <= 3;
    for (py::handle keyword : field(call, "keywords")) {
        py::object name = field(keyword, "arg");
        auto found = llvm::find_if(
            names, [&](const char *one) { return !name.is_none() && text(name) == one; });
        known &= found != names.end() && !given[size_t(found - names.begin())];
        if (known)
            given[size_t(found - names.begin())] = emitExpression(f, field(keyword, "value"));
    }
    if (!known || !given[0])
        unsupported(call, "warnings.warn takes a message, a category and a stacklevel here");
    if (!given[1])
        given[1] = f.staticValue("exception", "builtins.UserWarning");
    if (!given[2])
        given[2] = emitConstant(f, py::int_(1), call);
    f.setLocation(call);
    py::object module = f.function.attr("__globals__").attr("get")("__name__", "<string>");
    given.append({f.staticValue("str", f.file), emitConstant(f, py::int_(rangeOf(call).line), call),
                  f.staticValue("str", text(module))});
    return f.callNamed("shapecast._objects.warned", given);
}

Value emitLog(FunctionEmitter &f, const ExternalRef &called, py::handle call) {
    const std::string name = text(called.object.attr("__name__"));
    SmallVector<Value> given{f.none()};
    if (called.receiver) {
        const py::object logger = called.receiver->object;
        const py::object known = py::module_::import("logging").attr("getLogger");
        if (!hasAttribute(logger, "manager") || !known(logger.attr("name")).is(logger))
            unsupported(call, "a logger that logging.getLogger does not give is not supported");
        given[0] = emitExternal(f, *objectAttribute(f, *called.receiver, "name", call), call);
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
    py::object module = f.function.attr("__globals__").attr("get")("__name__", "<string>");
    const std::string here = f.qualifiedName.substr(f.qualifiedName.rfind('.') + 1);
    // Python counts a call at the line of the method's name.
    const py::object callee = field(call, "func");
    const unsigned line =
        kindOf(callee) == Kind::Attribute ? rangeOf(callee).endLine : rangeOf(call).line;
    given.append({f.staticValue("str", name), f.staticValue("str", f.file),
                  emitConstant(f, py::int_(line), call), f.staticValue("str", here),
                  f.staticValue("str", text(module))});
    ArrayAttr names = emitArguments(f, call, given);
    f.setLocation(call);
    const char *target = writesLog(name) ? "shapecast._objects.logged" : "shapecast._objects.logs";
    return np::CallOp::create(f.builder, f.loc, f.any, target, given, names, ArrayAttr(),
                              ArrayAttr())
        .getResult();
}

} // namespace shapecast::capture
