#include "capture/enum_members.h"

#include "capture/dependencies.h"
#include "capture/object_class.h"
#include "capture/object_kind.h"
#include "capture/record_classes.h"

#include <bit>

namespace shapecast::capture {

namespace py = pybind11;

static PyObject *enumMeta() {
    static PyObject *const meta =
        py::object(py::module_::import("enum").attr("EnumMeta")).release().ptr();
    return meta;
}

bool isEnumClass(py::handle object) {
    const py::object meta = py::module_::import("enum").attr("EnumMeta");
    return PyType_Check(object.ptr()) && py::isinstance(object, meta) && py::len(object) > 0;
}

bool isPlainEnum(py::handle object) {
    const py::module_ module = py::module_::import("enum");
    return PyType_Check(object.ptr()) && py::isinstance(object, module.attr("EnumMeta")) &&
           !PyType_IsSubtype(reinterpret_cast<PyTypeObject *>(object.ptr()),
                             reinterpret_cast<PyTypeObject *>(module.attr("Flag").ptr()));
}

bool isFlagClass(py::handle object) {
    return PyType_Check(object.ptr()) &&
           PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject *>(enumMeta())) &&
           !isPlainEnum(object) && isEnumClass(object);
}

static py::object valueOf(py::handle member) {
    return py::object(member.attr("__dict__")).attr("get")("_value_");
}

// Whether a member that is a number or string is the one that `value` gives: __new__ may have made
// another one.
static bool isItsValue(py::handle member) {
    const py::object value = valueOf(member);
    const bool isSame = PyLong_CheckExact(value.ptr()) ? PyLong_Check(member.ptr())
                        : PyFloat_CheckExact(value.ptr())
                            ? PyFloat_Check(member.ptr())
                            : PyUnicode_CheckExact(value.ptr()) && PyUnicode_Check(member.ptr());
    return isSame && value.equal(member);
}

bool isPlainMember(py::handle object) {
    if (!isEnumMember(object) || !isObject(object))
        return false;
    const bool isValue = isValueMember(object);
    if (isValue && !isItsValue(object))
        return false;
    const py::object base = py::module_::import("enum").attr("Enum");
    const auto operators = ownOperators(py::type::of(object)); // the metaclass's included
    for (py::handle type : py::type::of(object).attr("__mro__")) {
        if (type.is(base))
            return true;
        const auto *known = reinterpret_cast<PyTypeObject *>(type.ptr());
        if (isValue && !(known->tp_flags & Py_TPFLAGS_HEAPTYPE)) // int, str
            continue;
        const py::object own = type.attr("__dict__");
        if (llvm::any_of(operators,
                         [&](const auto &known) { return own.contains(known.first.c_str()); }))
            return false;
    }
    return false;
}

bool isConstantMember(py::handle object) { return isPlainMember(object) || isFlagMember(object); }

// Its kind and text; empty where compiled code does not know it.
static std::string valueText(const py::object &value) {
    if (py::isinstance<py::bool_>(value))
        return value.cast<bool>() ? "b1" : "b0";
    if (PyUnicode_CheckExact(value.ptr()))
        return "s" + value.cast<std::string>();
    if (PyFloat_CheckExact(value.ptr()))
        return "f" + std::to_string(std::bit_cast<int64_t>(PyFloat_AS_DOUBLE(value.ptr())));
    if (!PyLong_CheckExact(value.ptr()))
        return "";
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    return overflow ? "" : "i" + std::to_string(number);
}

// Whether captured code may use more of the class's members than their names and values.
static bool hasOwnMembers(py::handle member) {
    for (auto [name, value] : py::dict(member.attr("__dict__")))
        if (!llvm::StringRef(text(name)).starts_with("_"))
            return true;
    if (valueText(valueOf(member)).empty())
        return true;
    for (py::handle base : py::type::of(member).attr("__mro__")) {
        if (stringAttribute(base, "__module__") == "enum" || !isEnumClass(base))
            break;
        for (auto [name, value] : py::dict(base.attr("__dict__"))) {
            const bool isSpecial = llvm::StringRef(text(name)).starts_with("__");
            if (!isSpecial &&
                (PyFunction_Check(value.ptr()) ||
                 llvm::is_contained({"property", "staticmethod", "classmethod"}, className(value))))
                return true;
        }
    }
    return false;
}

// Of its class and those before it, with commas.
static std::string classNumbers(py::handle member) {
    std::string numbers;
    for (py::handle base : py::type::of(member).attr("__mro__"))
        if (reinterpret_cast<PyTypeObject *>(base.ptr())->tp_flags & Py_TPFLAGS_HEAPTYPE)
            numbers += (numbers.empty() ? "" : ",") + recordNumber(base);
    return numbers;
}

std::vector<OwnAttribute> ownAttributes(py::handle enumClass, const std::string &name) {
    std::vector<OwnAttribute> found;
    for (py::handle member : enumClass) {
        const py::object own = member.attr("__dict__"), value = valueOf(member);
        const bool isUnknown = name == "value" && valueText(value).empty();
        const py::object attribute = isUnknown ? value : own.attr("get")(name);
        if (isUnknown || own.contains(name))
            found.push_back({recordNumber(member), isUnknown ? "_value_" : name, attribute, own});
    }
    return found;
}

// "record:5;9,3;Side;BUY;i1": its number in _objects.py, those of its classes, the first one's
// name, its own and its value; "=i1" where the member is its value.
std::string memberText(py::handle member) {
    return recordName(member) + ";" + classNumbers(member) + ";" +
           py::type::of(member).attr("__name__").cast<std::string>() + ";" +
           py::object(member.attr("__dict__")).attr("get")("_name_").cast<std::string>() + ";" +
           (isValueMember(member) ? "=" : "") + valueText(valueOf(member));
}

static void noteMember(Session &session, py::handle member) {
    session.addGuard(member.attr("__dict__"), "_value_", valueOf(member));
    if (hasOwnMembers(member))
        session.addMadeClass(py::type::of(member));
}

mlir::Value emitMember(FunctionEmitter &f, py::handle member) {
    noteMember(f.session, member);
    return f.staticValue("enum", memberText(member));
}

void noteMembers(Session &session, py::handle enumClass) {
    for (py::handle member : enumClass)
        noteMember(session, member);
}

bool isSentinel(py::handle object) { return Py_TYPE(object.ptr()) == &PyBaseObject_Type; }

mlir::Value emitSentinel(FunctionEmitter &f, py::handle object) {
    return f.staticValue("enum", recordName(object) + ";;object;;");
}

} // namespace shapecast::capture
