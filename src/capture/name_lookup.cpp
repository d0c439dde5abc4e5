#include "capture/name_lookup.h"

#include "capture/callable_wrappers.h"
#include "capture/dependencies.h"
#include "capture/interrupts.h"
#include "capture/logging.h"
#include "capture/made_classes.h"
#include "capture/object_lists.h"
#include "capture/object_queries.h"
#include "capture/objects.h"
#include "capture/outside_instances.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static ExternalRef moduleAttribute(FunctionEmitter &f, py::handle module, py::handle node);

// The object that an expression refers to, with a guard; none where it is a value of this function.
std::optional<ExternalRef> resolve(FunctionEmitter &f, py::handle node) {
    return resolveIf(f, node, [](py::handle) { return true; });
}

std::optional<ExternalRef> resolveIf(FunctionEmitter &f, py::handle node,
                                     llvm::function_ref<bool(py::handle)> wanted) {
    std::optional<ExternalRef> found = lookUp(f, node);
    if (!found || found->property || (found->owner >= 0 && !isObject(found->object)) ||
        !wanted(found->object))
        return std::nullopt;
    f.session.addGuard(*found);
    return found;
}

std::optional<ExternalRef> lookUp(FunctionEmitter &f, py::handle node) {
    switch (kindOf(node)) {
    case Kind::Name:
        if (const ExternalRef *object = f.objectNamed(identifier(node, "id")))
            return *object;
        if (f.isLocalOrCaptured(identifier(node, "id")))
            return std::nullopt;
        if (std::optional<ExternalRef> found = lookUpName(f, node);
            !found || !holdsInstances(found->object))
            return found;
        else if (f.session.seesInstances = true;
                 !f.session.options.instancesInMemory || !isInstancesInMemory(found->object))
            return found;
        return std::nullopt; // it is a value
    case Kind::Constant: {   // which _desugar.py substitutes for a name
        py::object value = field(node, "value");
        const bool named = PyModule_Check(value.ptr()) || PyCallable_Check(value.ptr());
        f.session.result.isPortable &= !named;
        return named ? std::optional(ExternalRef{value, {}, ""}) : std::nullopt;
    }
    case Kind::Attribute: {
        if (std::optional<ExternalRef> member = inherited(f, node))
            return member;
        if (std::optional<ExternalRef> type = classOfSelf(f, node))
            return type;
        std::optional<ExternalRef> base = lookUp(f, field(node, "value"));
        if (!base)
            return std::nullopt;
        if (base->owner < 0 && PyModule_Check(base->object.ptr())) {
            if (std::optional<ExternalRef> changed = f.session.assignedGlobal(
                    base->object.attr("__dict__"), identifier(node, "attr")))
                return changed;
            f.session.addGuard(*base);
            return moduleAttribute(f, base->object, node);
        }
        if (py::isinstance(base->object, f.session.numpy.attr("ufunc"))) {
            f.session.addGuard(*base);
            return ExternalRef{
                attributeOrNone(base->object, identifier(node, "attr").c_str()), {}, ""};
        }
        if (hasAttributes(base->object) && !isReadAsText(base->object))
            return objectAttribute(f, *base, identifier(node, "attr"), node);
        return std::nullopt;
    }
    case Kind::Subscript:
        if (f.session.options.instancesInMemory) // a value
            if (std::optional<ExternalRef> base = lookUp(f, field(node, "value"));
                base && base->owner < 0 && holdsInstances(base->object))
                return std::nullopt;
        return objectItem(f, node);
    case Kind::Call:
        if (std::optional<ExternalRef> logger = loggerOfCall(f, node))
            return logger;
        if (std::optional<ExternalRef> type = classOfSelf(f, node))
            return type;
        return typeOfCall(f, node);
    default:
        return std::nullopt;
    }
}

std::optional<ExternalRef> lookUpName(FunctionEmitter &f, py::handle node) {
    const std::string name = f.mangled(identifier(node, "id"));
    py::object closure = f.function.attr("__closure__");
    py::object free = f.code.attr("co_freevars");
    for (size_t i = 0; i < py::len(free); ++i) {
        if (text(free[py::int_(i)]) != name)
            continue;
        py::object cell = closure[py::int_(i)];
        const auto object = py::reinterpret_steal<py::object>(cellContents(cell.ptr()).release());
        if (!object)
            f.fail("NameError",
                   "cannot access free variable '" + name +
                       "' where it is not associated with a value in enclosing scope",
                   rangeOf(node));
        f.session.noteLookUp(cell, "", object);
        if (f.functionNumber >= 0) // another function of the same kind has its own cells
            return ExternalRef{object, {}, name, f.functionNumber};
        return ExternalRef{object, cell, ""};
    }
    py::object globals = f.function.attr("__globals__");
    if (std::optional<ExternalRef> changed = f.session.assignedGlobal(globals, name))
        return changed;
    const auto inDict = [&](const py::object &names) {
        return py::reinterpret_steal<py::object>(dictItem(names.ptr(), name.c_str()).release());
    };
    if (const py::object value = inDict(globals)) {
        f.session.noteLookUp(globals, name, value);
        return ExternalRef{value, globals, name};
    }
    py::object builtins = f.function.attr("__builtins__");
    if (py::object original = f.isLibrary() ? originalAttribute("builtins", name) : py::object())
        return ExternalRef{original, {}, name};
    f.session.addGuard(globals, name, py::handle());
    const py::object value = inDict(builtins);
    f.session.noteLookUp(builtins, name, value);
    if (value)
        return ExternalRef{value, builtins, name};
    return std::nullopt;
}

Value emitUndefinedName(FunctionEmitter &f, const std::string &name) {
    auto op = np::CheckBoundOp::create(f.builder, f.loc, f.any, f.unbound(name), name);
    op.setGlobalAttr(f.builder.getUnitAttr());
    return op;
}

static ExternalRef moduleAttribute(FunctionEmitter &f, py::handle module, py::handle node) {
    const std::string name = f.mangled(identifier(node, "attr")),
                      holder = stringAttribute(module, "__name__");
    if (py::object original = f.isLibrary() ? originalAttribute(holder, name) : py::object())
        return {original, {}, name};
    PyObject *value = PyObject_GetAttrString(module.ptr(), name.c_str());
    if (!value) {
        py::error_already_set error; // CPython's message
        if (!error.matches(PyExc_AttributeError))
            throw error;
        f.session.addGuard(module.attr("__dict__"), name, py::handle());
        f.missingAttribute(node, text(py::str(error.value())));
    }
    auto found = py::reinterpret_steal<py::object>(value);
    py::object names = module.attr("__dict__");
    const bool isThere = dictItem(names.ptr(), name.c_str()).get() == value;
    if (isThere && Py_TYPE(module.ptr()) == &PyModule_Type) {
        f.session.noteLookUp(names, name, found);
        f.session.watchClass(module);
        return {found, names, name};
    }
    // Computed by the module's __getattr__, or its class: it is read at each call, as an object's
    // attribute, unless it has an external name.
    f.session.result.isPortable = false;
    if (PyModule_Check(value) || !externalName(unwrapJitted(found)).empty())
        return {found, isThere ? names : py::object(), name};
    return {found,
            {},
            name,
            f.session.objectNumber({py::reinterpret_borrow<py::object>(module), {}, ""})};
}

} // namespace shapecast::capture
