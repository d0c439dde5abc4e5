// Callables made of other functions: partial(f), itemgetter(1), np.vectorize(f), and super().
#include "capture/emitter.h"
#include "capture/interrupts.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static bool isPartial(py::handle object) {
    return std::strcmp(Py_TYPE(object.ptr())->tp_name, "functools.partial") == 0;
}

static bool isGetter(py::handle object) {
    return std::strcmp(Py_TYPE(object.ptr())->tp_name, "operator.itemgetter") == 0;
}

static bool isVectorize(py::handle object) {
    return className(object) == "vectorize" &&
           py::type::of(object).is(py::module_::import("numpy").attr("vectorize"));
}

bool isCallableWrapper(py::handle object) {
    return isPartial(object) || isGetter(object) || isVectorize(object);
}

// The value that our library's function of that name returns.
Value FunctionEmitter::callableWrapper(const ExternalRef &found, py::handle node) {
    if (isPartial(found.object))
        return partialValue(found, node);
    session.objectNumber(found); // guarded by identity: its contents do not change
    SmallVector<Value> values;
    if (isGetter(found.object)) {
        const py::tuple made = found.object.attr("__reduce__")();
        for (py::handle item : py::reinterpret_borrow<py::tuple>(made[1]))
            values.push_back(constant(item, node));
        Value getter = staticValue("func", "operator.itemgetter");
        return np::ApplyOp::create(builder, loc, any, getter, values, ArrayAttr());
    }
    const py::object of = found.object;
    if (!of.attr("signature").is_none() || py::len(of.attr("excluded")))
        unsupported(node, "np.vectorize with excluded= or signature= is not supported");
    py::object otypes = of.attr("otypes");
    if (py::isinstance<py::list>(otypes))
        otypes = py::tuple(otypes);
    values = {externalValue(*objectAttribute(found, "pyfunc", node), node), constant(otypes, node),
              constant(of.attr("cache"), node)};
    Value vectorize = staticValue("func", "numpy.vectorize");
    ArrayAttr names = builder.getStrArrayAttr({"otypes", "cache"});
    return np::ApplyOp::create(builder, loc, any, vectorize, values, names);
}

// partial(f, 1, k=2) from outside: f and its arguments are read at each call.
Value FunctionEmitter::partialValue(const ExternalRef &found, py::handle node) {
    auto part = [&](const char *name) { return *objectAttribute(found, name, node); };
    const ExternalRef given = part("args"), named = part("keywords");
    SmallVector<Value> values{externalValue(part("func"), node)};
    SmallVector<std::string> names;
    session.objectNumber(given);
    session.objectNumber(named);
    for (size_t i = 0; i < py::len(given.object); ++i)
        values.push_back(externalValue(itemOf(given, py::int_(i)), node));
    for (auto [key, value] : py::reinterpret_borrow<py::dict>(named.object)) {
        values.push_back(
            externalValue(itemOf(named, py::reinterpret_borrow<py::object>(key)), node));
        names.push_back(text(key));
    }
    ArrayAttr keywords =
        names.empty() ? ArrayAttr() : builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(names));
    Value partial = staticValue("func", "functools.partial");
    return np::ApplyOp::create(builder, loc, any, partial, values, keywords);
}

// The class and the object of `super()` and `super(C, self)`; none for other calls.
std::optional<std::pair<py::object, ExternalRef>> FunctionEmitter::superCall(py::handle node) {
    if (kindOf(node) != Kind::Call || kindOf(field(node, "func")) != Kind::Name ||
        identifier(field(node, "func"), "id") != "super" || py::len(field(node, "keywords")))
        return std::nullopt;
    std::optional<ExternalRef> callee = resolve(field(node, "func"));
    if (!callee || callee->object.ptr() != reinterpret_cast<PyObject *>(&PySuper_Type))
        return std::nullopt;
    py::object given = field(node, "args");
    std::optional<ExternalRef> self;
    py::object type;
    if (py::len(given) == 2) {
        self = objectArgument(given[py::int_(1)]);
        if (std::optional<ExternalRef> named = resolve(given[py::int_(0)]))
            type = named->object;
    } else if (code.attr("co_argcount").cast<int>() > 0) {
        const ExternalRef *first = objectNamed(text(code.attr("co_varnames")[py::int_(0)]));
        self = first ? std::optional(*first) : std::nullopt;
        type = memberOf(function, py::str("__class__"));
    }
    if (!self || !type || !PyType_Check(type.ptr()))
        return std::nullopt;
    return std::pair(type, *self);
}

// super().name: of the first class after this one in the __mro__ that has it.
std::optional<ExternalRef> FunctionEmitter::inherited(py::handle node) {
    auto known = superCall(field(node, "value"));
    if (!known)
        return std::nullopt;
    const auto &[start, self] = *known;
    session.objectNumber(self);
    const std::string name = mangled(identifier(node, "attr"));
    const bool ofClass = PyType_Check(self.object.ptr());
    const py::object own = ofClass ? self.object : py::object(py::type::of(self.object));
    session.addGuard(own, "", own.attr("__mro__"));
    bool passed = false;
    for (py::handle type : own.attr("__mro__")) {
        auto *known = reinterpret_cast<PyTypeObject *>(type.ptr());
        if (passed && !(known->tp_flags & Py_TPFLAGS_HEAPTYPE))
            break;
        PyObject *found = passed ? PyDict_GetItemString(known->tp_dict, name.c_str()) : nullptr;
        if (passed)
            session.addGuard(known->tp_dict, name, found);
        passed |= type.is(start);
        if (!found)
            continue;
        ExternalRef member{unwrapJitted(found), {}, ""};
        const bool property = Py_TYPE(found) == &PyProperty_Type;
        if (property)
            member.object = unwrapJitted(py::handle(found).attr("fget"));
        else if (PyObject_TypeCheck(found, &PyStaticMethod_Type))
            return ExternalRef{unwrapJitted(py::handle(found).attr("__func__")), {}, ""};
        else if (!isPlainFunction(member.object))
            return std::nullopt;
        member.property = property;
        member.receiver = std::make_shared<const ExternalRef>(self);
        return member;
    }
    const py::object super = py::handle((PyObject *)&PySuper_Type)(start, self.object);
    if (!hasAttribute(super, name.c_str()))
        missingAttribute(node, "'super' object has no attribute '" + name + "'");
    return std::nullopt;
}

} // namespace shapecast::capture
