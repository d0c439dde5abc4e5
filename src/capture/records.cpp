#include "capture/records.h"
#include "capture/interrupts.h"

namespace shapecast::capture {

namespace py = pybind11;

namespace {

size_t numberOf(py::handle type) {
    py::list records = py::module_::import("shapecast._objects").attr("records");
    for (size_t i = 0; i < records.size(); ++i)
        if (py::handle(records[i]).is(type))
            return i;
    records.append(type);
    return records.size() - 1;
}

// The methods behind operators; those with two operands also as __radd__ and __iadd__.
std::vector<std::string> operatorNames() {
    std::vector<std::string> names{"__lt__",      "__le__",      "__gt__",    "__ge__",
                                   "__eq__",      "__ne__",      "__neg__",   "__pos__",
                                   "__abs__",     "__invert__",  "__bool__",  "__contains__",
                                   "__getitem__", "__setitem__", "__iter__",  "__call__",
                                   "__float__",   "__int__",     "__index__", "__complex__"};
    for (const char *name : {"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul",
                             "and", "or", "xor", "lshift", "rshift", "divmod"})
        for (const char *side : {"__", "__r", "__i"})
            names.push_back(side + std::string(name) + "__");
    return names;
}

// Its code has no file, as that of `python -c` has none; the name it was compiled under tells.
bool isWrittenByDataclass(py::handle method) {
    py::object code = attributeOrNone(method, "__code__");
    return !code.is_none() && llvm::StringRef(py::cast<std::string>(code.attr("co_qualname")))
                                  .starts_with("__create_fn__.");
}

// What @dataclass wrote itself compares the fields in their order, where all of them count.
bool comparesAllFields(py::handle type, py::handle method) {
    if (!isWrittenByDataclass(method))
        return false;
    for (py::handle field : py::module_::import("dataclasses").attr("fields")(type))
        if (!py::cast<bool>(field.attr("compare")))
            return false;
    return true;
}

// Those that the class does not have of tuple or object, which compiled code does not call;
// "ordered" for dataclasses that compare as tuples of their fields.
std::vector<std::string> ownOperators(py::handle type) {
    const bool isTuple = PyType_IsSubtype((PyTypeObject *)type.ptr(), &PyTuple_Type);
    py::handle usual = (PyObject *)(isTuple ? &PyTuple_Type : &PyBaseObject_Type);
    std::vector<std::string> own;
    for (const std::string &name : operatorNames()) {
        py::object found = attributeOrNone(type, name.c_str());
        if (found.is_none() || found.is(attributeOrNone(usual, name.c_str())))
            continue;
        const bool made = !isTuple && comparesAllFields(type, found);
        if (!made)
            own.push_back(name);
        else if (name == "__lt__")
            own.push_back("ordered");
    }
    return own;
}

RecordClass make(py::handle type, std::string kind) {
    RecordClass record{std::move(kind), std::to_string(numberOf(type)), {}, {}, {}};
    for (py::handle base : type.attr("__bases__"))
        if (std::optional<RecordClass> known = recordClass(base))
            record.text += "," + known->text.substr(0, known->text.find_first_of("; "));
    for (const std::string &method : ownOperators(type))
        record.text += ";" + method;
    record.text += " " + py::cast<std::string>(type.attr("__name__"));
    return record;
}

void addField(RecordClass &record, const std::string &name) {
    record.fields.push_back(name);
    record.text += " " + name;
}

bool inherits(py::handle type, const char *method) {
    py::object own = py::getattr(type, method);
    return own.equal(py::getattr((PyObject *)&PyBaseObject_Type, method));
}

// Of the last fields, as a call finds them: `Node.__new__.__defaults__ = (None, None)` counts.
// `factory` stands for what is made anew in each call.
void readDefaults(RecordClass &record, py::handle maker, py::handle factory) {
    const py::object given = maker.attr("__defaults__");
    if (given.is_none())
        return;
    const py::tuple all = given;
    const size_t count = std::min(all.size(), record.fields.size());
    for (size_t k = all.size() - count; k < all.size(); ++k) {
        const py::object value = all[k];
        record.defaults.push_back(value.is(factory) ? py::object() : value);
    }
}

// What collections.namedtuple wrote itself: by the name of the module that it runs it in.
bool isWrittenByNamedTuple(py::handle method) {
    if (!PyFunction_Check(method.ptr()))
        return false;
    PyObject *home = PyDict_GetItemString(PyFunction_GET_GLOBALS(method.ptr()), "__name__");
    return home && PyUnicode_Check(home) &&
           llvm::StringRef(py::cast<std::string>(py::handle(home))).starts_with("namedtuple_");
}

// What collections.namedtuple and typing.NamedTuple make: no method of it is written by hand that
// makes or takes apart its values.
std::optional<RecordClass> namedTuple(py::handle type) {
    py::tuple bases = type.attr("__bases__");
    py::object names = type.attr("__dict__");
    if (bases.size() != 1 || PyTuple_GET_ITEM(bases.ptr(), 0) != (PyObject *)&PyTuple_Type ||
        !py::isinstance<py::tuple>(attributeOrNone(type, "_fields")) ||
        names.contains("__init__") || names.contains("__getitem__") || names.contains("__eq__") ||
        names.contains("__iter__") || names.contains("__len__"))
        return std::nullopt;
    if (!isWrittenByNamedTuple(type.attr("__new__")))
        return std::nullopt;
    RecordClass record = make(type, "namedtuple");
    const py::object getter = py::module_::import("collections").attr("_tuplegetter");
    for (py::handle field : type.attr("_fields")) {
        const py::object found = names.attr("get")(field);
        if (!py::type::of(found).is(getter)) // replaced by a property, say
            return std::nullopt;
        addField(record, py::cast<std::string>(field));
    }
    record.maker = type.attr("__new__");
    readDefaults(record, record.maker, py::handle());
    return record;
}

std::optional<RecordClass> dataclass(py::handle type) {
    py::object fields = attributeOrNone(type, "__dataclass_fields__");
    py::object parameters = attributeOrNone(type, "__dataclass_params__");
    if (fields.is_none() || parameters.is_none() ||
        !hasAttribute(type.attr("__init__"), "__code__"))
        return std::nullopt;
    py::object code = type.attr("__init__").attr("__code__");
    if (!py::cast<bool>(parameters.attr("init")) || hasAttribute(type, "__post_init__") ||
        !isWrittenByDataclass(type.attr("__init__")) ||
        py::cast<int>(code.attr("co_kwonlyargcount")) || !inherits(type, "__new__") ||
        !inherits(type, "__getattribute__"))
        return std::nullopt;
    for (const char *method : {"__bool__", "__len__", "__getattr__"})
        if (hasAttribute(type, method))
            return std::nullopt;
    if (!isWrittenByDataclass(type.attr("__eq__")))
        return std::nullopt;
    const bool frozen = py::cast<bool>(parameters.attr("frozen"));
    if (!frozen && !inherits(type, "__setattr__"))
        return std::nullopt;
    RecordClass record = make(type, frozen ? "frozen" : "dataclass");
    for (py::handle field : py::module_::import("dataclasses").attr("fields")(type)) {
        if (!py::cast<bool>(field.attr("init")))
            return std::nullopt;
        addField(record, py::cast<std::string>(field.attr("name")));
    }
    record.maker = type.attr("__init__");
    readDefaults(record, record.maker,
                 py::module_::import("dataclasses").attr("_HAS_DEFAULT_FACTORY"));
    // An __init__ of a base class whose fields are others, say.
    if (py::cast<size_t>(code.attr("co_argcount")) != record.fields.size() + 1)
        return std::nullopt;
    return record;
}

} // namespace

std::optional<RecordClass> recordClass(py::handle type) {
    if (!PyType_Check(type.ptr()) || Py_TYPE(type.ptr()) != &PyType_Type)
        return std::nullopt;
    return PyType_IsSubtype((PyTypeObject *)type.ptr(), &PyTuple_Type) ? namedTuple(type)
                                                                       : dataclass(type);
}

std::vector<GlobalUse> dependsOn(py::handle type, const RecordClass &record) {
    std::vector<std::string> names{"__init__",         "__new__",        "__post_init__",
                                   "__getitem__",      "__eq__",         "__iter__",
                                   "__len__",          "__bool__",       "__getattr__",
                                   "__getattribute__", "_fields",        "__dataclass_fields__",
                                   "__setattr__",      "_field_defaults"};
    for (std::string &name : operatorNames())
        names.push_back(std::move(name));
    names.insert(names.end(), record.fields.begin(), record.fields.end());
    std::vector<GlobalUse> all;
    for (py::handle base : type.attr("__mro__")) {
        auto *known = reinterpret_cast<PyTypeObject *>(base.ptr());
        if (!(known->tp_flags & Py_TPFLAGS_HEAPTYPE))
            continue;
        const auto own = py::reinterpret_borrow<py::object>(known->tp_dict);
        for (const std::string &name : names)
            all.push_back({own, name,
                           py::reinterpret_borrow<py::object>(
                               PyDict_GetItemString(own.ptr(), name.c_str()))});
    }
    return all;
}

std::string recordName(const RecordClass &record) {
    return "record:" + record.text.substr(0, record.text.find_first_of(",; "));
}

} // namespace shapecast::capture
