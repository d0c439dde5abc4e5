#include "capture/enum_members.h"

#include "capture/object_kind.h"
#include "capture/record_classes.h"

namespace shapecast::capture {

namespace py = pybind11;

bool isEnumClass(py::handle object) {
    const py::object meta = py::module_::import("enum").attr("EnumMeta");
    return PyType_Check(object.ptr()) && py::isinstance(object, meta) && py::len(object) > 0;
}

bool isPlainMember(py::handle object) {
    if (!isEnumMember(object) || !isObject(object))
        return false;
    const py::object base = py::module_::import("enum").attr("Enum");
    const auto operators = ownOperators(py::type::of(object)); // the metaclass's included
    for (py::handle type : py::type::of(object).attr("__mro__")) {
        if (type.is(base))
            return true;
        const py::object own = type.attr("__dict__");
        if (llvm::any_of(operators,
                         [&](const auto &known) { return own.contains(known.first.c_str()); }))
            return false;
    }
    return false;
}

// Its kind and text; empty where compiled code does not know it.
static std::string valueText(const py::object &value) {
    if (py::isinstance<py::bool_>(value))
        return value.cast<bool>() ? "b1" : "b0";
    if (py::isinstance<py::str>(value))
        return "s" + value.cast<std::string>();
    if (!py::isinstance<py::int_>(value))
        return "";
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    return overflow ? "" : "i" + std::to_string(number);
}

// "record:5;Side;BUY;i1": its number in _objects.py, class, name and value.
mlir::Value emitMember(FunctionEmitter &f, py::handle member) {
    const py::object own = member.attr("__dict__");
    f.session.addGuard(own, "_value_", own.attr("get")("_value_"));
    return f.staticValue("enum",
                         recordName(member) + ";" +
                             py::str(py::type::of(member).attr("__name__")).cast<std::string>() +
                             ";" + own.attr("get")("_name_").cast<std::string>() + ";" +
                             valueText(own.attr("get")("_value_")));
}

} // namespace shapecast::capture
