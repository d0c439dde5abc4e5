#include "capture/objects.h"

#include "capture/interrupts.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static std::optional<ExternalRef> propertyOf(FunctionEmitter &f, const ExternalRef &base,
                                             const std::string &name);

// The first class in the __mro__ that has the attribute, with guards on those that lack it; null
// where none written in Python has it.
static py::object firstWith(Session &session, py::handle type, const std::string &name) {
    session.addGuard(type, "", type.attr("__mro__"));
    for (py::handle one : type.attr("__mro__")) {
        auto *known = reinterpret_cast<PyTypeObject *>(one.ptr());
        if (!(known->tp_flags & Py_TPFLAGS_HEAPTYPE))
            break;
        if (dictItem(known->tp_dict, name.c_str()))
            return py::reinterpret_borrow<py::object>(one);
        session.addGuard(known->tp_dict, name, py::handle());
    }
    return {};
}

// The class whose attribute is read where an attribute of a class or of an argument is: where a
// captured function assigns it, which others would not see.
static ExternalRef holderOf(FunctionEmitter &f, const ExternalRef &base, const std::string &name,
                            py::handle node) {
    const bool isClass = PyType_Check(base.object.ptr());
    const py::object type = isClass ? base.object : py::type::of(base.object);
    auto isAssigned = [&](py::handle one) { return f.session.isAssignedInClass(one, name); };
    if (!hasAttribute(type, "__mro__") || llvm::none_of(type.attr("__mro__"), isAssigned))
        return base;
    const py::object found = firstWith(f.session, type, name);
    if (!found || !isAssigned(found) || (isClass && found.is(type)))
        return base;
    if (isClass && isAssigned(type))
        unsupported(
            node,
            "assigning to the attribute '" + name +
                "' of a class is not supported where the function assigns that of the class " +
                text(found.attr("__qualname__")) +
                ", which it inherits; give one of them another name");
    if (!isClass)
        unsupported(node, "reading '" + name +
                              "' through an object that is passed is not supported where the "
                              "function assigns it to the class; write " +
                              text(found.attr("__qualname__")) + "." + name);
    return {found, {}, ""};
}

std::optional<ExternalRef> objectAttribute(FunctionEmitter &f, const ExternalRef &given,
                                           const std::string &name, py::handle node) {
    if (given.property)
        return std::nullopt;
    const ExternalRef base = holderOf(f, given, f.mangled(name), node);
    const int number = f.session.objectNumber(base);
    if (name == "__class__" && !PyModule_Check(base.object.ptr()) &&
        !PyType_Check(base.object.ptr())) // each call checks that it is of this class
        return ExternalRef{py::type::of(base.object), {}, ""};
    if (std::optional<ExternalRef> found = propertyOf(f, base, f.mangled(name)))
        return found;
    auto value = py::reinterpret_steal<py::object>(
        PyObject_GetAttrString(base.object.ptr(), f.mangled(name).c_str()));
    if (value && isEnumMember(base.object) && (name == "value" || name == "name")) {
        const py::object names = base.object.attr("__dict__");
        f.session.addGuard(names, "_" + name + "_", names.attr("get")("_" + name + "_"));
        return ExternalRef{value, {}, ""}; // else: as the enum member, which is guarded
    }
    if (f.session.isAssigned(number, f.mangled(name))) { // it may be missing before
        forgetError();
        return ExternalRef{value ? value : py::none(), {}, f.mangled(name), number};
    }
    if (!value) {
        py::error_already_set error; // CPython's message
        if (!error.matches(PyExc_AttributeError))
            throw error;
        f.session.result.absent.push_back({number, py::str(f.mangled(name))});
        f.missingAttribute(node, text(py::str(error.value())));
    }
    ExternalRef found{value, {}, f.mangled(name), number};
    if (PyMethod_Check(value.ptr()) && PyMethod_GET_SELF(value.ptr()) == base.object.ptr()) {
        ExternalRef receiver = base;
        receiver.number = number;
        found.receiver = std::make_shared<const ExternalRef>(std::move(receiver));
    }
    return found;
}

// A property: its getter, which is called where it is read.
static std::optional<ExternalRef> propertyOf(FunctionEmitter &f, const ExternalRef &base,
                                             const std::string &name) {
    if (PyType_Check(base.object.ptr()))
        return std::nullopt;
    std::vector<py::handle> before; // dicts of earlier classes: guarded to lack it
    for (py::handle type : py::type::of(base.object).attr("__mro__")) {
        auto *known = reinterpret_cast<PyTypeObject *>(type.ptr());
        if (!(known->tp_flags & Py_TPFLAGS_HEAPTYPE)) // builtins lack tp_dict in newer Pythons
            break;
        py::handle names = known->tp_dict;
        const auto found =
            py::reinterpret_steal<py::object>(dictItem(names.ptr(), name.c_str()).release());
        if (!found) {
            before.push_back(names);
            continue;
        }
        if (Py_TYPE(found.ptr()) != &PyProperty_Type) // subclasses of property may behave otherwise
            break;
        for (py::handle without : before)
            f.session.addGuard(without, name, py::handle());
        const py::handle own = py::type::of(base.object);
        f.session.addGuard(own, "", own.attr("__mro__"));
        f.session.addGuard(names, name, found);
        ExternalRef getter{unwrapJitted(found.attr("fget")), {}, ""};
        getter.property = true;
        getter.receiver = std::make_shared<const ExternalRef>(base);
        return getter;
    }
    return std::nullopt;
}

ExternalRef asFunction(FunctionEmitter &f, const ExternalRef &found) {
    ExternalRef callee = found;
    callee.object = unwrapJitted(found.object);
    if (PyMethod_Check(callee.object.ptr())) {
        const int number = f.session.objectNumber(found);
        PyObject *method = callee.object.ptr();
        if (!callee.receiver)
            callee.receiver = std::make_shared<const ExternalRef>(
                ExternalRef{py::reinterpret_borrow<py::object>(PyMethod_GET_SELF(method)),
                            {},
                            "__self__",
                            number});
        callee.object = unwrapJitted(PyMethod_GET_FUNCTION(method));
        callee.name = "__func__";
        callee.owner = number;
        callee.number = -1;
    } else if (hasAttributes(found.object) && !PyType_Check(found.object.ptr())) {
        py::object call = memberOf(found.object, py::str("__call__"));
        py::object ofClass = attributeOrNone(py::type::of(found.object), "__call__");
        if (call && PyMethod_Check(call.ptr()) && // looked up in the class, not the instance
            ofClass.ptr() == PyMethod_GET_FUNCTION(call.ptr()))
            return asFunction(f, *objectAttribute(f, found, "__call__", py::none()));
    }
    return callee;
}

std::optional<ExternalRef> objectArgument(FunctionEmitter &f, py::handle node) {
    std::optional<ExternalRef> found;
    try {
        found = lookUp(f, node);
    } catch (const MissingAttribute &) { // raises as an expression
        return std::nullopt;
    }
    const bool isModule = hasAttribute(node, "of_globals"); // see _definitions.py
    const bool object =
        found && !found->property &&
        (isModule || hasAttributes(found->object) || recordsAt(f, node).has_value());
    return object ? found : std::nullopt;
}

ExternalRef itemOf(FunctionEmitter &f, const ExternalRef &container, const py::object &key) {
    if (container.owner < 0 && container.number < 0)
        f.session.addGuard(container);
    const int owner = f.session.objectNumber(container);
    ExternalRef item{memberOf(container.object, key), {}, "[" + text(py::repr(key)) + "]", owner};
    item.key = key;
    return item;
}

std::optional<ExternalRef> recordsAt(FunctionEmitter &f, py::handle node) {
    if (f.session.options.wholeRecords)
        return std::nullopt;
    std::optional<ExternalRef> found = lookUp(f, node);
    const bool known = found && !found->property && (found->owner >= 0 || found->number >= 0);
    return known && isRecordArray(found->object) ? found : std::nullopt;
}

} // namespace shapecast::capture
