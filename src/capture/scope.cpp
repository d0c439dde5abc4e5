// What names stand for: local variables, closure cells, globals, builtins, module attributes and
// constants.
#include "capture/emitter.h"

#include "capture/dependencies.h"
#include "capture/interrupts.h"
#include "capture/records.h"
#include "facts/dtype.h"

#include "llvm/Support/SaveAndRestore.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

Session::Session(MLIRContext &context, const CaptureOptions &options, AssignedAttributes &assigned)
    : context(context), options(options), assigned(assigned), numpy(py::module_::import("numpy")) {
    result.module = ModuleOp::create(UnknownLoc::get(&context));
}

void Session::record(const Outside &outside) {
    if (outside.owner >= 0)
        number(outside);
    else if (outside.holder)
        record(outside.holder, outside.name, outside.object);
}

void Session::record(py::handle holder, const std::string &name, py::handle seen) {
    look(holder, name, seen);
    if (recorded.emplace(holder.ptr(), name).second)
        result.globals.push_back({py::reinterpret_borrow<py::object>(holder), name,
                                  py::reinterpret_borrow<py::object>(seen)});
}

void Session::look(py::handle holder, const std::string &name, py::handle seen) {
    if (this->seen.emplace(holder.ptr(), name).second)
        result.looked.push_back({py::reinterpret_borrow<py::object>(holder), name,
                                 py::reinterpret_borrow<py::object>(seen)});
}

// An attribute of a module is what stands in its dict, as long as its class is the usual one.
void Session::watchClass(py::handle module) {
    if (recorded.emplace(module.ptr(), "").second)
        result.globals.push_back(classOf(module));
}

std::optional<unsigned> Session::hidden(const Outside &outside) {
    if (outside.owner >= 0)
        return hiddenAttribute(outside);
    if (!outside.holder)
        return std::nullopt;
    auto names = [&](const auto &use) {
        return use.holder && use.holder.is(outside.holder) && use.name == outside.name;
    };
    PyObject *object = outside.object.ptr();
    bool number =
        PyFloat_CheckExact(object) || PyLong_CheckExact(object) || PyComplex_CheckExact(object);
    bool array = reinterpret_cast<PyObject *>(Py_TYPE(object)) == numpy.attr("ndarray").ptr();
    if (!array && !isOpaque(outside.object) && !(number && llvm::any_of(options.changing, names)))
        return std::nullopt;
    look(outside.holder, outside.name, outside.object);
    auto known = llvm::find_if(result.hidden, names);
    if (known != result.hidden.end())
        return known - result.hidden.begin();
    result.hidden.push_back({outside.holder, outside.name, -1, {}});
    return result.hidden.size() - 1;
}

bool Session::isException(py::handle object) const {
    return PyExceptionClass_Check(object.ptr()) && !externalName(object).empty();
}

//===-- Names

Value FunctionEmitter::readLocal(unsigned index) {
    Binding &binding = state.locals[index];
    if (binding.value && !binding.maybe)
        return binding.value;
    if (binding.checked)
        return binding.checked;
    const std::string &name = syntax.locals[index];
    Value value = binding.value ? binding.value : unbound(name);
    binding.checked = np::CheckBoundOp::create(builder, loc, any, value, name);
    return binding.checked;
}

bool FunctionEmitter::isInside(const std::string &name) const {
    return scopedValue(name) || syntax.localIndex.contains(name) ||
           llvm::is_contained(captured, name) || (outer && name == self);
}

Value FunctionEmitter::scopedValue(const std::string &name) const {
    for (const auto &[variable, value] : llvm::reverse(scoped))
        if (variable == name)
            return value;
    return {};
}

// The object that a callee is, if it is not a value of this function; the capture depends on it.
std::optional<Outside> FunctionEmitter::resolve(py::handle node) {
    std::optional<Outside> found = lookUp(node);
    if (!found || found->property || (found->owner >= 0 && !isObject(found->object)))
        return std::nullopt;
    session.record(*found);
    return found;
}

std::optional<Outside> FunctionEmitter::lookUp(py::handle node) {
    switch (kindOf(node)) {
    case Kind::Name:
        if (const Outside *object = objectNamed(identifier(node, "id")))
            return *object;
        if (isInside(identifier(node, "id")))
            return std::nullopt;
        return lookUpName(node);
    case Kind::Constant: { // what _desugar.py puts in the place of a name
        py::object value = field(node, "value");
        const bool named = PyModule_Check(value.ptr()) || PyCallable_Check(value.ptr());
        session.result.isPortable &= !named;
        return named ? std::optional(Outside{value, {}, ""}) : std::nullopt;
    }
    case Kind::Attribute: {
        if (std::optional<Outside> member = inherited(node))
            return member;
        std::optional<Outside> base = lookUp(field(node, "value"));
        if (!base)
            return std::nullopt;
        if (base->owner < 0 && PyModule_Check(base->object.ptr())) {
            session.record(*base);
            return moduleAttribute(base->object, node);
        }
        if (py::isinstance(base->object, session.numpy.attr("ufunc"))) {
            session.record(*base);
            return Outside{attributeOrNone(base->object, identifier(node, "attr").c_str()), {}, ""};
        }
        if (hasAttributes(base->object))
            return objectAttribute(*base, identifier(node, "attr"), node);
        return std::nullopt;
    }
    case Kind::Subscript:
        return objectItem(node);
    case Kind::Call:
        if (std::optional<Outside> logger = loggerAsked(node))
            return logger;
        return classAsked(node);
    default:
        return std::nullopt;
    }
}

// A name that no function around assigns: a closure cell, a global or a builtin, in Python's order.
std::optional<Outside> FunctionEmitter::lookUpName(py::handle node) {
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
        session.look(cell, "", object);
        if (functionNumber >= 0) // another function of this kind has cells of its own
            return Outside{object, {}, name, functionNumber};
        return Outside{object, cell, ""};
    }
    py::object globals = function.attr("__globals__");
    if (PyObject *value = PyDict_GetItemString(globals.ptr(), name.c_str())) {
        session.look(globals, name, value);
        return Outside{py::reinterpret_borrow<py::object>(value), globals, name};
    }
    py::object builtins = function.attr("__builtins__");
    if (py::object original = isLibrary() ? originalAttribute("builtins", name) : py::object())
        return Outside{original, {}, name};
    session.record(globals, name, py::handle());
    PyObject *value = PyDict_GetItemString(builtins.ptr(), name.c_str());
    session.look(builtins, name, value);
    if (value)
        return Outside{py::reinterpret_borrow<py::object>(value), builtins, name};
    return std::nullopt;
}

// Python finds out when it gets there, and so do we.
Value FunctionEmitter::undefinedName(const std::string &name) {
    auto op = np::CheckBoundOp::create(builder, loc, any, unbound(name), name);
    op->setAttr("global", builder.getUnitAttr());
    return op;
}

// NumPy's functions as they are written here use those that NumPy came with.
bool FunctionEmitter::isLibrary() const {
    static const std::string own = "shapecast.library.";
    PyObject *name = PyDict_GetItemString(function.attr("__globals__").ptr(), "__name__");
    return name && PyUnicode_Check(name) && text(name).rfind(own, 0) == 0;
}

// Python finds out when it gets there, and so does an expression.
void FunctionEmitter::missingAttribute(py::handle node, const std::string &message) {
    session.result.isPortable = false;
    std::vector<Frame> frames = session.calls;
    frames.push_back(frameOf(rangeOf(node)));
    throw MissingAttribute({"AttributeError", message, std::move(frames), {}}, node);
}

Outside FunctionEmitter::moduleAttribute(py::handle module, py::handle node) {
    std::string name = identifier(node, "attr"), holder = stringAttribute(module, "__name__");
    if (py::object original = isLibrary() ? originalAttribute(holder, name) : py::object())
        return {original, {}, name};
    PyObject *value = PyObject_GetAttrString(module.ptr(), name.c_str());
    if (!value) {
        py::error_already_set error; // fetches Python's own wording
        if (!error.matches(PyExc_AttributeError))
            throw error;
        session.record(module.attr("__dict__"), name, py::handle());
        missingAttribute(node, text(py::str(error.value())));
    }
    auto found = py::reinterpret_steal<py::object>(value);
    py::object names = module.attr("__dict__");
    const bool isThere = PyDict_GetItemString(names.ptr(), name.c_str()) == value;
    if (isThere && Py_TYPE(module.ptr()) == &PyModule_Type) {
        session.look(names, name, found);
        session.watchClass(module);
        return {found, names, name};
    }
    // A function of the module, or of its class, has made it: it is asked for at each call, as an
    // object's attribute, unless it is known by name.
    session.result.isPortable = false;
    if (PyModule_Check(value) || !externalName(unwrapJitted(found)).empty())
        return {found, isThere ? names : py::object(), name};
    return {found, {}, name, session.number({py::reinterpret_borrow<py::object>(module), {}, ""})};
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

// The static value of None, a string, a dtype ...; null for other objects.
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
Value FunctionEmitter::outside(const Outside &found, py::handle node) {
    if (Value state = held(found, node))
        return state;
    if (PyRange_Check(found.object.ptr()) && found.owner >= 0)
        return rangeHeld(found, node);
    if (std::optional<unsigned> number = session.hidden(found))
        return np::GlobalOp::create(builder, loc, any, *number);
    if (found.property)
        return readProperty(found, node);
    session.record(found);
    if (isObject(found.object) && session.dtypeName(found.object).empty())
        return functionValue(found, node);
    if (Value container = containerOutside(found, node))
        return container;
    return constant(found.object, node);
}

// A range that an object holds: its bounds are read at each call.
Value FunctionEmitter::rangeHeld(const Outside &found, py::handle node) {
    const int number = session.number(found);
    auto bound = [&](const char *name) {
        return outside({found.object.attr(name), {}, name, number}, node);
    };
    return callNamed("builtins.range",
                     {bound("start"), bound("stop"), constant(found.object.attr("step"), node)});
}

// A dict with strings as keys, or a list, with what it holds now; null for other objects. It is
// captured again when it has got other keys or items.
Value FunctionEmitter::containerOutside(const Outside &found, py::handle node) {
    constexpr size_t mostItems = 256;
    const bool dict = PyDict_CheckExact(found.object.ptr());
    if (!dict && !PyList_CheckExact(found.object.ptr()))
        return {};
    const auto items = py::reinterpret_steal<py::tuple>(PySequence_Tuple(found.object.ptr()));
    static thread_local int depth = 0;
    llvm::SaveAndRestore deeper(depth, depth + 1);
    if (depth > 16)
        unsupported(node, "a dict or list from outside the function that holds itself is not "
                          "supported; pass what is needed of it");
    if (items.size() > mostItems)
        unsupported(node, "a " + className(found.object) + " of more than " +
                              std::to_string(mostItems) +
                              " items from outside the function is not supported; pass it as an "
                              "argument, or make an array of it");
    session.record(found.object, "", items);
    SmallVector<Value> elements;
    for (py::handle item : items) {
        if (!dict) {
            elements.push_back(constant(item, node));
            continue;
        }
        if (!PyUnicode_CheckExact(item.ptr()))
            unsupported(node, "a dict from outside the function whose keys are no strings is not "
                              "supported; pass it as an argument");
        elements.push_back(staticValue("str", text(item)));
        elements.push_back(outside({found.object[item], found.object, text(item)}, node));
    }
    auto op =
        np::TupleOp::create(builder, loc, any, elements, dict ? UnitAttr() : builder.getUnitAttr());
    if (dict)
        op->setAttr("dict", builder.getUnitAttr());
    op->setAttr("argument", builder.getStringAttr("from outside the function"));
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
