// Name resolution: local variables, closure cells, globals, builtins, module attributes and
// constants.
#include "capture/emitter.h"

#include "capture/dependencies.h"
#include "capture/interrupts.h"
#include "capture/record_classes.h"
#include "facts/dtype.h"

#include "llvm/Support/SaveAndRestore.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

Session::Session(MLIRContext &context, const CaptureOptions &options, AssignedAttributes &assigned)
    : context(context), options(options), assigned(assigned), numpy(py::module_::import("numpy")) {
    result.module = ModuleOp::create(UnknownLoc::get(&context));
}

void Session::addGuard(const ExternalRef &external) {
    if (external.owner >= 0)
        objectNumber(external);
    else if (external.holder)
        addGuard(external.holder, external.name, external.object);
}

void Session::addGuard(py::handle holder, const std::string &name, py::handle seen) {
    noteLookUp(holder, name, seen);
    if (guarded.emplace(holder.ptr(), name).second)
        result.globals.push_back({py::reinterpret_borrow<py::object>(holder), name,
                                  py::reinterpret_borrow<py::object>(seen)});
}

void Session::noteLookUp(py::handle holder, const std::string &name, py::handle seen) {
    if (lookedUp.emplace(holder.ptr(), name).second)
        result.lookUps.push_back({py::reinterpret_borrow<py::object>(holder), name,
                                  py::reinterpret_borrow<py::object>(seen)});
}

// A module's attribute is the entry in its dict, as long as its class is types.ModuleType.
void Session::watchClass(py::handle module) {
    if (guarded.emplace(module.ptr(), "").second)
        result.globals.push_back(classOf(module));
}

std::optional<unsigned> Session::hiddenArgument(const ExternalRef &external) {
    if (external.owner >= 0)
        return hiddenAttribute(external);
    if (!external.holder)
        return std::nullopt;
    auto names = [&](const auto &use) {
        return use.holder && use.holder.is(external.holder) && use.name == external.name;
    };
    PyObject *object = external.object.ptr();
    bool number =
        PyFloat_CheckExact(object) || PyLong_CheckExact(object) || PyComplex_CheckExact(object);
    bool array = reinterpret_cast<PyObject *>(Py_TYPE(object)) == numpy.attr("ndarray").ptr();
    if (!array && !isOpaque(external.object) && !(number && llvm::any_of(options.changing, names)))
        return std::nullopt;
    noteLookUp(external.holder, external.name, external.object);
    auto known = llvm::find_if(result.hidden, names);
    if (known != result.hidden.end())
        return known - result.hidden.begin();
    result.hidden.push_back({external.holder, external.name, -1, {}});
    return result.hidden.size() - 1;
}

bool Session::isException(py::handle object) const {
    return PyExceptionClass_Check(object.ptr()) && !externalName(object).empty();
}

//===-- Names

Value FunctionEmitter::readLocal(unsigned index) {
    Binding &binding = state.locals[index];
    if (binding.value && !binding.maybeUnbound)
        return binding.value;
    if (binding.checked)
        return binding.checked;
    const std::string &name = syntax.locals[index];
    Value value = binding.value ? binding.value : unbound(name);
    binding.checked = np::CheckBoundOp::create(builder, loc, any, value, name);
    return binding.checked;
}

bool FunctionEmitter::isLocalOrCaptured(const std::string &name) const {
    return comprehensionValue(name) || syntax.localIndex.contains(name) ||
           llvm::is_contained(captured, name) || (outer && name == selfName);
}

Value FunctionEmitter::comprehensionValue(const std::string &name) const {
    for (const auto &[variable, value] : llvm::reverse(comprehensionVariables))
        if (variable == name)
            return value;
    return {};
}

// The object that an expression refers to, with a guard; none where it is a value of this function.
std::optional<ExternalRef> FunctionEmitter::resolve(py::handle node) {
    std::optional<ExternalRef> found = lookUp(node);
    if (!found || found->property || (found->owner >= 0 && !isObject(found->object)))
        return std::nullopt;
    session.addGuard(*found);
    return found;
}

std::optional<ExternalRef> FunctionEmitter::lookUp(py::handle node) {
    switch (kindOf(node)) {
    case Kind::Name:
        if (const ExternalRef *object = objectNamed(identifier(node, "id")))
            return *object;
        if (isLocalOrCaptured(identifier(node, "id")))
            return std::nullopt;
        return lookUpName(node);
    case Kind::Constant: { // which _desugar.py substitutes for a name
        py::object value = field(node, "value");
        const bool named = PyModule_Check(value.ptr()) || PyCallable_Check(value.ptr());
        session.result.isPortable &= !named;
        return named ? std::optional(ExternalRef{value, {}, ""}) : std::nullopt;
    }
    case Kind::Attribute: {
        if (std::optional<ExternalRef> member = inherited(node))
            return member;
        std::optional<ExternalRef> base = lookUp(field(node, "value"));
        if (!base)
            return std::nullopt;
        if (base->owner < 0 && PyModule_Check(base->object.ptr())) {
            session.addGuard(*base);
            return moduleAttribute(base->object, node);
        }
        if (py::isinstance(base->object, session.numpy.attr("ufunc"))) {
            session.addGuard(*base);
            return ExternalRef{
                attributeOrNone(base->object, identifier(node, "attr").c_str()), {}, ""};
        }
        if (hasAttributes(base->object))
            return objectAttribute(*base, identifier(node, "attr"), node);
        return std::nullopt;
    }
    case Kind::Subscript:
        return objectItem(node);
    case Kind::Call:
        if (std::optional<ExternalRef> logger = getLoggerCall(node))
            return logger;
        return typeOfCall(node);
    default:
        return std::nullopt;
    }
}

// A name that no enclosing function assigns: a closure cell, global or builtin, in Python's order.
std::optional<ExternalRef> FunctionEmitter::lookUpName(py::handle node) {
    std::string name = identifier(node, "id");
    py::object closure = function.attr("__closure__");
    py::object free = code.attr("co_freevars");
    for (size_t i = 0; i < py::len(free); ++i) {
        if (text(free[py::int_(i)]) != name)
            continue;
        py::object cell = closure[py::int_(i)];
        PyObject *value = PyCell_GET(cell.ptr());
        if (!value)
            fail("NameError",
                 "cannot access free variable '" + name +
                     "' where it is not associated with a value in enclosing scope",
                 rangeOf(node));
        auto object = py::reinterpret_borrow<py::object>(value);
        session.noteLookUp(cell, "", object);
        if (functionNumber >= 0) // another function of the same kind has its own cells
            return ExternalRef{object, {}, name, functionNumber};
        return ExternalRef{object, cell, ""};
    }
    py::object globals = function.attr("__globals__");
    if (PyObject *value = PyDict_GetItemString(globals.ptr(), name.c_str())) {
        session.noteLookUp(globals, name, value);
        return ExternalRef{py::reinterpret_borrow<py::object>(value), globals, name};
    }
    py::object builtins = function.attr("__builtins__");
    if (py::object original = isLibrary() ? originalAttribute("builtins", name) : py::object())
        return ExternalRef{original, {}, name};
    session.addGuard(globals, name, py::handle());
    PyObject *value = PyDict_GetItemString(builtins.ptr(), name.c_str());
    session.noteLookUp(builtins, name, value);
    if (value)
        return ExternalRef{py::reinterpret_borrow<py::object>(value), builtins, name};
    return std::nullopt;
}

// Raises NameError at run time, when control reaches it.
Value FunctionEmitter::undefinedName(const std::string &name) {
    auto op = np::CheckBoundOp::create(builder, loc, any, unbound(name), name);
    op.setGlobalAttr(builder.getUnitAttr());
    return op;
}

// The functions of shapecast.library use the original NumPy, whatever a program has patched.
bool FunctionEmitter::isLibrary() const {
    static const std::string own = "shapecast.library.";
    PyObject *name = PyDict_GetItemString(function.attr("__globals__").ptr(), "__name__");
    return name && PyUnicode_Check(name) && text(name).rfind(own, 0) == 0;
}

// Raises AttributeError: in an expression at run time, when control reaches it.
void FunctionEmitter::missingAttribute(py::handle node, const std::string &message) {
    session.result.isPortable = false;
    std::vector<Frame> frames = session.callStack;
    frames.push_back(frameOf(rangeOf(node)));
    throw MissingAttribute({"AttributeError", message, std::move(frames), {}}, node);
}

ExternalRef FunctionEmitter::moduleAttribute(py::handle module, py::handle node) {
    std::string name = identifier(node, "attr"), holder = stringAttribute(module, "__name__");
    if (py::object original = isLibrary() ? originalAttribute(holder, name) : py::object())
        return {original, {}, name};
    PyObject *value = PyObject_GetAttrString(module.ptr(), name.c_str());
    if (!value) {
        py::error_already_set error; // CPython's message
        if (!error.matches(PyExc_AttributeError))
            throw error;
        session.addGuard(module.attr("__dict__"), name, py::handle());
        missingAttribute(node, text(py::str(error.value())));
    }
    auto found = py::reinterpret_steal<py::object>(value);
    py::object names = module.attr("__dict__");
    const bool isThere = PyDict_GetItemString(names.ptr(), name.c_str()) == value;
    if (isThere && Py_TYPE(module.ptr()) == &PyModule_Type) {
        session.noteLookUp(names, name, found);
        session.watchClass(module);
        return {found, names, name};
    }
    // Computed by the module's __getattr__, or its class: it is read at each call, as an object's
    // attribute, unless it has an external name.
    session.result.isPortable = false;
    if (PyModule_Check(value) || !externalName(unwrapJitted(found)).empty())
        return {found, isThere ? names : py::object(), name};
    return {found,
            {},
            name,
            session.objectNumber({py::reinterpret_borrow<py::object>(module), {}, ""})};
}

//===-- Constants

Value FunctionEmitter::staticValue(llvm::StringRef kind, llvm::StringRef text) {
    auto attr = np::PyAttr::get(&session.context, kind, text);
    return np::ConstOp::create(builder, loc, np::StaticType::get(&session.context), attr);
}

Value FunctionEmitter::unbound(llvm::StringRef name) {
    return np::UnboundOp::create(builder, loc, any, name);
}

Value FunctionEmitter::boolean(bool value) {
    return np::ConstOp::create(builder, loc, np::PyBoolType::get(&session.context),
                               builder.getBoolAttr(value));
}

// The attribute and type of a Python number; null for other objects.
Attribute FunctionEmitter::numberAttr(py::handle object, Type &type) {
    MLIRContext *ctx = &session.context;
    if (PyBool_Check(object.ptr())) {
        type = np::PyBoolType::get(ctx);
        return builder.getBoolAttr(object.ptr() == Py_True);
    }
    if (PyLong_CheckExact(object.ptr())) {
        int overflow = 0;
        long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
        type = np::PyIntType::get(ctx);
        return overflow ? Attribute() : builder.getI64IntegerAttr(value);
    }
    if (PyFloat_CheckExact(object.ptr())) {
        type = np::PyFloatType::get(ctx);
        return builder.getF64FloatAttr(PyFloat_AS_DOUBLE(object.ptr()));
    }
    if (PyComplex_CheckExact(object.ptr())) {
        Py_complex value = PyComplex_AsCComplex(object.ptr());
        type = np::PyComplexType::get(ctx);
        return builder.getF64ArrayAttr({value.real, value.imag});
    }
    return {};
}

// The compile-time value of None, a string, a dtype ...; null for other objects.
Attribute FunctionEmitter::staticAttr(py::handle object) {
    auto make = [&](llvm::StringRef kind, llvm::StringRef value) {
        return np::PyAttr::get(&session.context, kind, value);
    };
    if (object.is_none())
        return make("none", "");
    if (object.ptr() == Py_Ellipsis)
        return make("ellipsis", "");
    if (PyUnicode_CheckExact(object.ptr()))
        return make("str", text(object));
    if (PyModule_Check(object.ptr()))
        return make("module", stringAttribute(object, "__name__"));
    if (PyType_Check(object.ptr()) && stringAttribute(object, "__module__") == "builtins" &&
        llvm::is_contained({"int", "float", "bool", "complex", "str", "tuple", "list"},
                           stringAttribute(object, "__name__")))
        return make("type", stringAttribute(object, "__name__"));
    if (session.isException(object))
        return make("exception", session.externalName(object));
    if (std::string dtype = session.dtypeName(object); !dtype.empty())
        return make("dtype", PyType_Check(object.ptr()) ? "numpy." + dtype : dtype);
    return {};
}

// Arrays, and numbers that change, are hidden arguments; other objects are constants.
Value FunctionEmitter::externalValue(const ExternalRef &found, py::handle node) {
    if (Value state = stateValue(found, node))
        return state;
    if (PyRange_Check(found.object.ptr()) && found.owner >= 0)
        return rangeAttribute(found, node);
    if (std::optional<unsigned> number = session.hiddenArgument(found))
        return np::GlobalOp::create(builder, loc, any, *number);
    if (found.property)
        return readProperty(found, node);
    session.addGuard(found);
    if (isObject(found.object) && session.dtypeName(found.object).empty())
        return functionValue(found, node);
    if (Value container = externalContainer(found, node))
        return container;
    return constant(found.object, node);
}

// A range in an object: its bounds are read at each call.
Value FunctionEmitter::rangeAttribute(const ExternalRef &found, py::handle node) {
    const int number = session.objectNumber(found);
    auto bound = [&](const char *name) {
        return externalValue({found.object.attr(name), {}, name, number}, node);
    };
    return callNamed("builtins.range",
                     {bound("start"), bound("stop"), constant(found.object.attr("step"), node)});
}

// A dict with strings as keys, or a list, as it is at capture; null for other objects. The guard on
// its keys or items makes it recaptured when these change.
Value FunctionEmitter::externalContainer(const ExternalRef &found, py::handle node) {
    constexpr size_t maxItems = 256;
    const bool dict = PyDict_CheckExact(found.object.ptr());
    if (!dict && !PyList_CheckExact(found.object.ptr()))
        return {};
    const auto items = py::reinterpret_steal<py::tuple>(PySequence_Tuple(found.object.ptr()));
    static thread_local int depth = 0;
    llvm::SaveAndRestore deeper(depth, depth + 1);
    if (depth > 16)
        unsupported(node, "a dict or list from outside the function that holds itself is not "
                          "supported; pass what is needed of it");
    if (items.size() > maxItems)
        unsupported(node, "a " + className(found.object) + " of more than " +
                              std::to_string(maxItems) +
                              " items from outside the function is not supported; pass it as an "
                              "argument, or make an array of it");
    session.addGuard(found.object, "", items);
    SmallVector<Value> elements;
    for (py::handle item : items) {
        if (!dict) {
            elements.push_back(constant(item, node));
            continue;
        }
        if (!PyUnicode_CheckExact(item.ptr()))
            unsupported(node, "a dict from outside the function whose keys are not strings is not "
                              "supported; pass it as an argument");
        elements.push_back(staticValue("str", text(item)));
        elements.push_back(externalValue({found.object[item], found.object, text(item)}, node));
    }
    auto op =
        np::TupleOp::create(builder, loc, any, elements, dict ? UnitAttr() : builder.getUnitAttr());
    if (dict)
        op.setDictAttr(builder.getUnitAttr());
    op.setArgumentAttr(builder.getStringAttr("from outside the function"));
    return op;
}

Value FunctionEmitter::constant(py::handle object, py::handle node) {
    Type type;
    if (Attribute number = numberAttr(object, type))
        return np::ConstOp::create(builder, loc, type, number);
    if (type)
        unsupported(node, "an integer beyond 64 bits is not supported; use a float");
    if (Attribute value = staticAttr(object))
        return np::ConstOp::create(builder, loc, np::StaticType::get(&session.context), value);
    if (PyTuple_CheckExact(object.ptr())) {
        SmallVector<Value> elements;
        for (py::handle element : object)
            elements.push_back(constant(element, node));
        return np::TupleOp::create(builder, loc, any, elements, UnitAttr());
    }
    if (PyRange_Check(object.ptr()))
        return callNamed("builtins.range",
                         {constant(object.attr("start"), node), constant(object.attr("stop"), node),
                          constant(object.attr("step"), node)});
    if (py::isinstance(object, session.numpy.attr("generic"))) {
        std::string dtype = session.dtypeName(object.attr("dtype"));
        if (!dtype.empty()) {
            Value number = constant(object.attr("item")(), node);
            return np::CallOp::create(builder, loc, any, "numpy." + dtype, ValueRange(number),
                                      ArrayAttr(), ArrayAttr(), ArrayAttr())
                .getResult();
        }
    }
    std::string kind = className(object);
    if (py::isinstance(object, session.numpy.attr("ndarray")))
        unsupported(node, "an array inside an object outside the function is not supported; give "
                          "it a name of its own, or pass it as an argument");
    if (PyCallable_Check(object.ptr()))
        return functionValue({py::reinterpret_borrow<py::object>(object), {}, ""}, node);
    unsupported(node, "a value of type '" + kind +
                          "' from outside the function is not supported; pass it as an argument");
}

} // namespace shapecast::capture
