#include "capture/calls.h"

#include "capture/arguments.h"
#include "capture/callable_wrappers.h"
#include "capture/callees.h"
#include "capture/comprehensions.h"
#include "capture/constants.h"
#include "capture/containers.h"
#include "capture/enum_members.h"
#include "capture/functions.h"
#include "capture/inherited_members.h"
#include "capture/logging.h"
#include "capture/made_classes.h"
#include "capture/object_lists.h"
#include "capture/object_queries.h"
#include "capture/objects.h"
#include "capture/record_arrays.h"
#include "capture/record_classes.h"
#include "capture/reports.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static Value emitApply(FunctionEmitter &f, py::handle node);
static Value emitKnownCall(FunctionEmitter &f, const ExternalRef &callee, py::handle node);
static Value emitFunctionCall(FunctionEmitter &f, const ExternalRef &callee, py::handle node);
static ArrayAttr emitDefaults(FunctionEmitter &f, const std::string &name,
                              SmallVectorImpl<Value> &values, ArrayAttr names, py::handle node);

// object.__setattr__(v, "name", value), by which frozen dataclasses set their attributes; null for
// other calls.
static Value emitPlainSetAttribute(FunctionEmitter &f, py::handle node) {
    const py::object callee = field(node, "func"), given = field(node, "args");
    if (kindOf(callee) != Kind::Attribute || identifier(callee, "attr") != "__setattr__" ||
        py::len(given) != 3 || py::len(field(node, "keywords")))
        return {};
    if (!resolveIf(f, field(callee, "value"), [](py::handle of) {
            return of.ptr() == reinterpret_cast<PyObject *>(&PyBaseObject_Type);
        }))
        return {};
    const Value base = emitExpression(f, given[py::int_(0)]),
                name = emitExpression(f, given[py::int_(1)]),
                value = emitExpression(f, given[py::int_(2)]);
    np::MethodOp::create(f.builder, f.loc, f.any, base, "object.__setattr__",
                         ValueRange{name, value}, ArrayAttr());
    return f.none();
}

Value emitCallOf(FunctionEmitter &f, const py::object &function, Value argument, py::handle node) {
    const std::string name = captureCallee(f, {function, {}, ""}, py::none(), node);
    return np::CallOp::create(f.builder, f.loc, f.any, name, argument, ArrayAttr(), ArrayAttr(),
                              ArrayAttr())
        .getResult();
}

// v.encode(...), which makes an instance of a class where v is a string.
static Value emitEncode(FunctionEmitter &f, py::handle node) {
    const py::object encode =
        py::module_::import("shapecast.library.builtin_classes").attr("encode");
    SmallVector<Value> values{emitExpression(f, field(field(node, "func"), "value"))};
    ArrayAttr names = emitArguments(f, node, values);
    const std::string name = captureCallee(f, {encode, {}, ""}, py::none(), node);
    names = emitDefaults(f, name, values, names, node);
    return np::CallOp::create(f.builder, f.loc, f.any, name, values, names, ArrayAttr(),
                              ArrayAttr())
        .getResult();
}

Value emitCall(FunctionEmitter &f, py::handle node) {
    py::object callee = field(node, "func");
    if (Value inherited = emitInheritedCall(f, node))
        return inherited;
    if (Value changed = emitPlainSetAttribute(f, node))
        return changed;
    if (Value made = emitPlainNew(f, node))
        return made;
    const bool starred = hasStarred(node);
    if (!starred)
        if (std::optional<ExternalRef> known = resolve(f, callee))
            return emitKnownCall(f, *known, node);
    if (!starred && kindOf(callee) == Kind::Attribute && !lookUp(f, callee)) {
        if (identifier(callee, "attr") == "encode") // of a string: bytes
            return emitEncode(f, node);
        SmallVector<Value> values;
        Value base = emitExpression(f, field(callee, "value"));
        ArrayAttr names = emitArguments(f, node, values);
        return np::MethodOp::create(f.builder, f.loc, f.any, base,
                                    f.mangled(identifier(callee, "attr")), values, names);
    }
    return emitApply(f, node);
}

// A call of a value: of a variable, a lambda, another call's result; and every call with `*args`.
static Value emitApply(FunctionEmitter &f, py::handle node) {
    return emitApplied(f, emitUse(f, field(node, "func"), Use::Called), {}, node);
}

static Value emitKnownCall(FunctionEmitter &f, const ExternalRef &callee, py::handle node) {
    py::object plain = unwrapJitted(callee.object);
    if (!replacedClass(plain).is(plain))
        return emitFunctionCall(f, callee, node);
    std::string name = f.session.externalName(plain);
    if (name == "builtins.print")
        unsupported(node, "print(...) inside an expression is not supported; make it a statement");
    if (f.session.isException(plain) || isCallableWrapper(plain))
        return emitApply(f, node);
    if (name == "warnings.warn")
        return emitWarning(f, node);
    if (name == "builtins.super")
        unsupported(node, "super() is supported as super().name of a method, a property or a "
                          "static method that a class in Python has");
    if (name == "builtins.tuple" && f.session.options.tuplesInMemory && !f.isLibrary() &&
        py::len(field(node, "args")) == 1 && !py::len(field(node, "keywords")))
        return emitCallOf(f, py::module_::import("shapecast.library.long_tuples").attr("tupled"),
                          emitExpression(f, field(node, "args")[py::int_(0)]), node);
    if (name == "builtins.dict" && py::len(field(node, "args")) <= 1)
        return emitDictCall(f, node);
    if (name == "builtins.len" && py::len(field(node, "args")) == 1)
        if (auto records = recordsAt(f, field(node, "args")[py::int_(0)]))
            return f.callNamed(name, emitAnyField(f, *records, node));
    if (name == "builtins.len" && py::len(field(node, "args")) == 1)
        if (auto objects = objectsIn(f, field(node, "args")[py::int_(0)]))
            return emitConstant(f, py::int_(objects->size()), node);
    if (name == "builtins.isinstance")
        if (Value known = emitInstanceTest(f, node))
            return known;
    if (name == "builtins.getattr" || name == "builtins.hasattr")
        if (Value known = emitAttributeQuery(f, name, node))
            return known;
    if (name == "builtins.callable")
        if (Value known = emitCallableTest(f, node))
            return known;
    if (py::object given = field(node, "args");
        name == "builtins.isinstance" && py::len(given) == 2 && !py::len(field(node, "keywords")))
        return f.callNamed(
            name, {emitExpression(f, given[py::int_(0)]), emitClass(f, given[py::int_(1)])});
    if (name == "builtins.next" && py::len(field(node, "args")))
        if (py::object items = field(node, "args")[py::int_(0)]; className(items) == "GeneratorExp")
            return emitNext(f, items, node);
    if ((name == "builtins.any" || name == "builtins.all") && py::len(field(node, "args")) == 1)
        if (py::object items = field(node, "args")[py::int_(0)]; className(items) == "GeneratorExp")
            return emitAnyOrAll(f, items, name == "builtins.all");
    if (name.empty())
        return emitFunctionCall(f, callee, node);
    if (py::object given = field(node, "args");
        (name == "builtins.len" || name == "builtins.reversed") && py::len(given) == 1)
        return f.callNamed(name, emitExpression(f, given[py::int_(0)])); // a generator has neither
    if (py::object given = field(node, "args");
        (name == "numpy.array" || name == "numpy.asarray") && py::len(given) &&
        className(given[py::int_(0)]) == "GeneratorExp")
        unsupported(given[py::int_(0)],
                    "NumPy makes an array of the generator itself, which is not supported; write a "
                    "list: [... for ...], or np.fromiter");
    SmallVector<Value> values;
    ArrayAttr names = emitArguments(f, node, values);
    return np::CallOp::create(f.builder, f.loc, f.any, name, values, names, ArrayAttr(),
                              ArrayAttr())
        .getResult();
}

// In messages: "the class 'Vec'", "an object of type 'Model'".
static std::string calledName(py::handle called) {
    if (PyType_Check(called.ptr()))
        return "the class '" + py::cast<std::string>(called.attr("__name__")) + "'";
    return "an object of type '" + className(called) + "'";
}

// ", since it has a metaclass", of a class in Python.
static std::string whyNot(py::handle called) {
    const bool isOurs =
        PyType_Check(called.ptr()) && !PyExceptionClass_Check(called.ptr()) &&
        (reinterpret_cast<PyTypeObject *>(called.ptr())->tp_flags & Py_TPFLAGS_HEAPTYPE);
    const std::optional<std::string> why = isOurs ? whyNotMade(called) : std::nullopt;
    return why ? ", since " + *why : "";
}

// A call of a Python function, a method, or a callable object.
static Value emitFunctionCall(FunctionEmitter &f, const ExternalRef &given, py::handle node) {
    ExternalRef called = given;
    called.object = replacedClass(given.object);
    if (isEnumClass(called.object) && py::len(field(node, "args")) == 1)
        called = {
            py::module_::import("shapecast._classes").attr("by_value")(called.object), {}, ""};
    f.session.callStack.push_back(f.frameOf(rangeOf(node)));
    const std::optional<std::string> constructor = captureConstructor(f, called.object);
    f.session.callStack.pop_back();
    if (constructor) {
        SmallVector<Value> values{f.none()};
        ArrayAttr names = emitArguments(f, node, values);
        names = emitDefaults(f, *constructor, values, names, node);
        return np::CallOp::create(f.builder, f.loc, f.any, *constructor, values, names, ArrayAttr(),
                                  ArrayAttr())
            .getResult();
    }
    const ExternalRef callee = asFunction(f, called);
    if (isLogging(callee.object))
        return emitLog(f, callee, node);
    if (!isPlainFunction(callee.object))
        unsupported(field(node, "func"),
                    "calling " + calledName(called.object) + " is not supported" +
                        whyNot(called.object) + "; " +
                        (PyExceptionClass_Check(called.object.ptr())
                             ? "define it at the top level of a module"
                             : "call functions of NumPy, math, or your own plain functions"));
    std::string name = captureCallee(f, callee, node, node);
    SmallVector<Value> values;
    if (callee.receiver)
        values.push_back(f.none()); // `self` is not an SSA value
    ArrayAttr names = emitArguments(f, node, values, /*mayBeObjects=*/true);
    names = emitDefaults(f, name, values, names, node);
    return np::CallOp::create(f.builder, f.loc, f.any, name, values, names, ArrayAttr(),
                              ArrayAttr())
        .getResult();
}

// Defaults that are not constants become keyword arguments where the call does not pass them.
static ArrayAttr emitDefaults(FunctionEmitter &f, const std::string &name,
                              SmallVectorImpl<Value> &values, ArrayAttr names, py::handle node) {
    const size_t positional = values.size() - (names ? names.size() : 0);
    SmallVector<Attribute> all;
    if (names)
        all.append(names.begin(), names.end());
    const std::vector<ParameterInfo> parameters = f.session.parameters[name];
    for (auto [index, parameter] : llvm::enumerate(parameters)) {
        if (!parameter.value || index < positional || defaultAttr(f.session, parameter.value))
            continue;
        const Attribute keyword = f.builder.getStringAttr(parameter.name);
        if (llvm::is_contained(all, keyword))
            continue;
        values.push_back(emitDefault(f, parameter, node));
        all.push_back(keyword);
    }
    return all.empty() ? names : f.builder.getArrayAttr(all);
}

} // namespace shapecast::capture
