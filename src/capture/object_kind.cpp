#include "capture/object_kind.h"

#include "capture/interrupts.h"
#include "capture/object_class.h"
#include "facts/dtype.h"

#include <cstring>
#include <vector>

namespace shapecast::capture {

namespace py = pybind11;

namespace {

// C extensions have heap types, too; their attributes are read as any others. Those of CPython's
// own C modules (more with each version) are immutable types.
bool isPythonClass(PyTypeObject *type) {
    return (type->tp_flags & Py_TPFLAGS_HEAPTYPE) && !(type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE);
}

// Classes whose instances are only their attributes: in Python, and types.SimpleNamespace.
static bool hasOwnAttributes(PyTypeObject *type) {
    static const PyObject *const nameSpace =
        py::object(py::module_::import("types").attr("SimpleNamespace")).release().ptr();
    return isPythonClass(type) || reinterpret_cast<PyObject *>(type) == nameSpace;
}

// jit(f), or functools.cache(f): the result of f does not depend on caching.
// What f.on() makes (python/shapecast/_devices.py): a call in a jitted function is one of f.
bool isFunctionOn(PyObject *object) {
    const py::object module = attributeIfAny(py::type::handle_of(object), "__module__");
    return module && PyUnicode_Check(module.ptr()) &&
           PyUnicode_CompareWithASCIIString(module.ptr(), "shapecast._devices") == 0;
}

bool isWrapper(PyObject *object) {
    const char *name = Py_TYPE(object)->tp_name;
    if (name[0] == 'F' && std::strcmp(name, "FunctionOn") == 0)
        return isFunctionOn(object);
    return (name[0] == 's' && std::strcmp(name, "shapecast._core.Jit") == 0) ||
           (name[0] == 'f' && std::strcmp(name, "functools._lru_cache_wrapper") == 0);
}

// A number, string, container or array by inheritance: more than its attributes.
bool isValue(PyObject *object) {
    static PyObject *const interfaces[] = {
        PyUnicode_InternFromString("__array__"), PyUnicode_InternFromString("__array_interface__"),
        PyUnicode_InternFromString("__dlpack__"), PyUnicode_InternFromString("__dlpack_device__"),
        PyUnicode_InternFromString("__cuda_array_interface__")};
    if (isBuiltinValue(classify(object)))
        return true;
    for (PyObject *name : interfaces) // hasattr() would create exceptions
        if (typeAttribute(Py_TYPE(object), name))
            return true;
    return false;
}

bool sameFunction(PyObject *a, PyObject *b) {
    if (a == b)
        return true;
    if (classify(a) != ObjectClass::Function || classify(b) != ObjectClass::Function)
        return false;
    return PyFunction_GET_CODE(a) == PyFunction_GET_CODE(b) &&
           PyFunction_GET_GLOBALS(a) == PyFunction_GET_GLOBALS(b) &&
           PyFunction_GET_DEFAULTS(a) == PyFunction_GET_DEFAULTS(b) &&
           PyFunction_GET_KW_DEFAULTS(a) == PyFunction_GET_KW_DEFAULTS(b);
}

py::object closureVariable(PyObject *function, py::handle name) {
    PyObject *cells = PyFunction_GET_CLOSURE(function);
    py::object free = py::handle(PyFunction_GET_CODE(function)).attr("co_freevars");
    for (Py_ssize_t i = 0; cells && i < PyTuple_GET_SIZE(cells); ++i)
        if (PyUnicode_Compare(PyTuple_GET_ITEM(free.ptr(), i), name.ptr()) == 0)
            return py::reinterpret_steal<py::object>(
                cellContents(PyTuple_GET_ITEM(cells, i)).release());
    return {};
}

} // namespace

// A dtype that is not compiled for: text, datetimes, structured, non-native byte order, or one that
// a library has registered (ml_dtypes.bfloat16, also given as its scalar type).
static bool isPythonsDtype(py::handle given) {
    constexpr int firstRegistered = 256;
    const ObjectClass ofClass = classify(given.ptr());
    if (ofClass == ObjectClass::Type)
        return hasAttribute(given, "dtype") &&
               classify(py::object(given.attr("dtype")).ptr()) == ObjectClass::Dtype &&
               given.attr("dtype").attr("num").cast<int>() >= firstRegistered;
    return ofClass == ObjectClass::Dtype &&
           (!given.attr("isnative").cast<bool>() ||
            !dtypeFromName(std::string(py::str(given.attr("name")))));
}

// Objects that code is specialised for by identity, not by class: members of an Enum are compared
// and matched, np.vectorize and itemgetter depend on their constructor arguments.
static bool isKnownByIdentity(py::handle object) {
    const std::string name = py::str(py::type::of(object).attr("__qualname__"));
    return isEnumMember(object) || name == "vectorize" || name == "itemgetter";
}

// An instance whose kind is its class. Each call checks it, so the answer is cached by the class's
// version tag.
static bool isPlainInstance(PyObject *object) {
    struct Known {
        PyTypeObject *type;
        unsigned version;
        bool isPlain;
    };
    static SC_GUARDED_BY_GIL Known table[64];
    PyTypeObject *type = Py_TYPE(object);
    if (!hasOwnAttributes(type))
        return false;
    Known &known = table[reinterpret_cast<uintptr_t>(type) / 64 % std::size(table)];
    if (known.type == type && known.version == versionOf(type))
        return known.isPlain;
    const bool isPlain = classify(object) != ObjectClass::Type && !isWrapper(object) &&
                         !isValue(object) && !isKnownByIdentity(object);
    if (const unsigned version = versionOf(type))
        known = {type, version, isPlain};
    return isPlain;
}

bool isObject(py::handle object) {
    PyObject *o = object.ptr();
    if (isPlainInstance(o))
        return true;
    const ObjectClass ofClass = classify(o);
    if (isNumber(ofClass))
        return false;
    if (isEnumMember(object))
        return !isValue(o) || isValueMember(object);
    if (isReadAsText(object)) // compiled code has an instance of a class of ours
        return true;
    if (ofClass == ObjectClass::Function || ofClass == ObjectClass::Method || isWrapper(o))
        return true;
    if (ofClass == ObjectClass::Type)
        return isPythonClass(reinterpret_cast<PyTypeObject *>(o)) && !PyExceptionClass_Check(o) &&
               !isPythonsDtype(object);
    return hasOwnAttributes(Py_TYPE(o)) && !isValue(o);
}

// Nothing is imported before it is known that the type is one of them.
static bool isOneOfCollections(PyTypeObject *type) {
    static const std::vector<PyTypeObject *> all = [] {
        std::vector<PyTypeObject *> found;
        const py::module_ module = py::module_::import("collections");
        for (const char *name : {"deque", "defaultdict", "Counter", "OrderedDict"})
            found.push_back(
                reinterpret_cast<PyTypeObject *>(py::object(module.attr(name)).release().ptr()));
        return found;
    }();
    return llvm::is_contained(all, type);
}

PyObject *standsFor(PyTypeObject *type) {
    if (!isOneOfCollections(type))
        return nullptr;
    try {
        const py::dict replaced =
            py::module_::import("shapecast.library.collections").attr("REPLACED");
        return py::object(replaced[reinterpret_cast<PyObject *>(type)]).ptr(); // the module's
    } catch (py::error_already_set &error) { // Ctrl-C while it is imported comes again
        if (error.matches(PyExc_KeyboardInterrupt))
            PyErr_SetInterrupt();
        return nullptr;
    }
}

bool isOfCollections(PyObject *object) { return isOneOfCollections(Py_TYPE(object)); }

bool isPattern(py::handle object) {
    static PyObject *const type =
        py::object(py::module_::import("re").attr("Pattern")).release().ptr();
    return reinterpret_cast<PyObject *>(Py_TYPE(object.ptr())) == type &&
           PyUnicode_Check(py::object(object.attr("pattern")).ptr()); // others only Python knows
}

bool isOpaque(py::handle object) {
    if (isPythonsDtype(object))
        return true;
    switch (classify(object.ptr())) {
    case ObjectClass::Array:
    case ObjectClass::ArraySubclass:
    case ObjectClass::Bytes:
    case ObjectClass::BytesSubclass:
    case ObjectClass::Set:
    case ObjectClass::Other:
        return !PyCallable_Check(object.ptr()) && !hasAttributes(object);
    default:
        return false;
    }
}

bool hasAttributes(py::handle object) {
    const ObjectClass ofClass = classify(object.ptr());
    return ofClass != ObjectClass::Function && ofClass != ObjectClass::Method &&
           !isWrapper(object.ptr()) && isObject(object);
}

bool isEnumMember(py::handle object) {
    static PyObject *const meta =
        py::object(py::module_::import("enum").attr("EnumMeta")).release().ptr();
    return PyObject_TypeCheck(reinterpret_cast<PyObject *>(Py_TYPE(object.ptr())),
                              reinterpret_cast<PyTypeObject *>(meta));
}

bool isValueMember(py::handle object) {
    switch (classify(object.ptr())) {
    case ObjectClass::IntSubclass:
    case ObjectClass::FloatSubclass:
    case ObjectClass::StrSubclass:
        return isEnumMember(object);
    default:
        return false;
    }
}

bool isFlagMember(py::handle object) {
    static PyObject *const flag =
        py::object(py::module_::import("enum").attr("Flag")).release().ptr();
    return isEnumMember(object) &&
           PyType_IsSubtype(Py_TYPE(object.ptr()), reinterpret_cast<PyTypeObject *>(flag));
}

bool containsObjects(py::handle container) {
    PyObject *o = container.ptr(), *key, *item;
    Py_ssize_t at = 0;
    const ObjectClass ofClass = classify(o);
    ObjectLock lock(o);
    if (ofClass == ObjectClass::Dict)
        while (PyDict_Next(o, &at, &key, &item))
            if (hasAttributes(item))
                return true;
    if (ofClass != ObjectClass::List && ofClass != ObjectClass::Tuple)
        return false;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); ++i)
        if (hasAttributes(PySequence_Fast_GET_ITEM(o, i)))
            return true;
    return false;
}

bool isRecordArray(py::handle object) {
    return classify(object.ptr()) == ObjectClass::Array &&
           PyDataType_HASFIELDS(PyArray_DESCR(reinterpret_cast<PyArrayObject *>(object.ptr())));
}

bool isNumberList(py::handle list) {
    PyObject *o = list.ptr();
    if (classify(o) != ObjectClass::List || !PyList_GET_SIZE(o))
        return false;
    ObjectLock lock(o);
    const ObjectClass ofItems = classify(PyList_GET_ITEM(o, 0));
    if (ofItems != ObjectClass::Float && ofItems != ObjectClass::Int)
        return false;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(o); ++i)
        if (classify(PyList_GET_ITEM(o, i)) != ofItems)
            return false;
    return true;
}

py::object memberOf(py::handle object, py::handle name) {
    PyObject *o = object.ptr();
    const ObjectClass ofClass = classify(o);
    if (ofClass == ObjectClass::Function)
        return closureVariable(o, name);
    PyObject *value = isContainer(ofClass) || isRecordArray(object)
                          ? PyObject_GetItem(o, name.ptr())
                          : PyObject_GetAttr(o, name.ptr());
    if (!value)
        forgetError();
    return py::reinterpret_steal<py::object>(value);
}

// "a list of three": what code that reads single items assumes.
static py::object keysOf(py::handle container) {
    const py::type type = py::type::of(container);
    const ObjectClass ofClass = classify(container.ptr());
    if (ofClass == ObjectClass::Dict)
        return py::make_tuple(type, py::tuple(py::reinterpret_borrow<py::dict>(container)));
    if (isRecordArray(container))
        return py::make_tuple(type, container.attr("dtype"));
    if (ofClass == ObjectClass::Range)
        return py::make_tuple(type, container.attr("step"));
    return py::make_tuple(type, py::len(container));
}

ObjectKind ObjectKind::of(py::handle object) {
    ObjectKind kind;
    if (isPlainInstance(object.ptr()) || isReplacedValue(object)) {
        kind.what = py::type::of(object);
        return kind;
    }
    if (isEnumMember(object) && isObject(object)) {
        kind.form = Identity;
        kind.what = py::reinterpret_borrow<py::object>(object);
        return kind;
    }
    if (const ObjectClass ofClass = classify(object.ptr());
        isContainer(ofClass) || ofClass == ObjectClass::Range || isRecordArray(object)) {
        kind.form = Container;
        kind.what = keysOf(object);
        return kind;
    }
    const py::object plain = unwrapJitted(object);
    PyObject *o = plain.ptr();
    const ObjectClass ofClass = classify(o);
    kind.form = ofClass == ObjectClass::Function                        ? Function
                : ofClass == ObjectClass::Method                        ? Method
                : !hasAttributes(plain) || ofClass == ObjectClass::Type ? Identity
                : isKnownByIdentity(o)                                  ? Identity
                                                                        : Instance;
    if (kind.form == Method)
        kind.bound = py::type::of(PyMethod_GET_SELF(o));
    kind.what = unwrapJitted(kind.form == Method     ? PyMethod_GET_FUNCTION(o)
                             : kind.form == Instance ? reinterpret_cast<PyObject *>(Py_TYPE(o))
                                                     : o);
    return kind;
}

bool ObjectKind::operator==(const ObjectKind &other) const {
    if (form == Container)
        return other.form == form && what.equal(other.what);
    return form == other.form && bound.is(other.bound) &&
           (form == Function || form == Method ? sameFunction(what.ptr(), other.what.ptr())
                                               : what.is(other.what));
}

// What contextlib.contextmanager has made: all such functions have one code.
static bool isContextManager(PyObject *object) {
    if (!PyFunction_Check(object))
        return false;
    static PyObject *const code =
        py::object(py::module_::import("shapecast._generators").attr("CODE_OF_MANAGERS"))
            .release()
            .ptr();
    return PyFunction_GET_CODE(object) == code;
}

py::object unwrapJitted(py::handle object) {
    if (isWrapper(object.ptr()))
        return unwrapJitted(object.attr("__wrapped__"));
    if (isContextManager(object.ptr())) {
        const py::object function =
            py::module_::import("shapecast._generators").attr("manager_function")(object);
        if (!function.is_none())
            return function;
    }
    return py::reinterpret_borrow<py::object>(object);
}

} // namespace shapecast::capture
