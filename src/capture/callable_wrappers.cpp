#include "capture/callable_wrappers.h"

#include "capture/interrupts.h"
#include "capture/objects.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static Value emitPartial(FunctionEmitter &f, const ExternalRef &found, py::handle node);

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

Value emitCallableWrapper(FunctionEmitter &f, const ExternalRef &found, py::handle node) {
    if (isPartial(found.object))
        return emitPartial(f, found, node);
    f.session.objectNumber(found); // guarded by identity: its contents do not change
    SmallVector<Value> values;
    if (isGetter(found.object)) {
        const py::tuple made = found.object.attr("__reduce__")();
        for (py::handle item : py::reinterpret_borrow<py::tuple>(made[1]))
            values.push_back(emitConstant(f, item, node));
        Value getter = f.staticValue("func", "operator.itemgetter");
        return np::ApplyOp::create(f.builder, f.loc, f.any, getter, values, ArrayAttr());
    }
    const py::object of = found.object;
    if (!of.attr("signature").is_none() || py::len(of.attr("excluded")))
        unsupported(node, "np.vectorize with excluded= or signature= is not supported");
    py::object otypes = of.attr("otypes");
    if (py::isinstance<py::list>(otypes))
        otypes = py::tuple(otypes);
    values = {emitExternal(f, *objectAttribute(f, found, "pyfunc", node), node),
              emitConstant(f, otypes, node), emitConstant(f, of.attr("cache"), node)};
    Value vectorize = f.staticValue("func", "numpy.vectorize");
    ArrayAttr names = f.builder.getStrArrayAttr({"otypes", "cache"});
    return np::ApplyOp::create(f.builder, f.loc, f.any, vectorize, values, names);
}

// partial(f, 1, k=2) from outside: f and its arguments are read at each call.
static Value emitPartial(FunctionEmitter &f, const ExternalRef &found, py::handle node) {
    auto part = [&](const char *name) { return *objectAttribute(f, found, name, node); };
    const ExternalRef given = part("args"), named = part("keywords");
    SmallVector<Value> values{emitExternal(f, part("func"), node)};
    SmallVector<std::string> names;
    f.session.objectNumber(given);
    f.session.objectNumber(named);
    for (size_t i = 0; i < py::len(given.object); ++i)
        values.push_back(emitExternal(f, itemOf(f, given, py::int_(i)), node));
    for (auto [key, value] : py::reinterpret_borrow<py::dict>(named.object)) {
        values.push_back(
            emitExternal(f, itemOf(f, named, py::reinterpret_borrow<py::object>(key)), node));
        names.push_back(text(key));
    }
    ArrayAttr keywords = names.empty()
                             ? ArrayAttr()
                             : f.builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(names));
    Value partial = f.staticValue("func", "functools.partial");
    return np::ApplyOp::create(f.builder, f.loc, f.any, partial, values, keywords);
}

// The class and the object of `super()` and `super(C, self)`; none for other calls.
static std::optional<std::pair<py::object, ExternalRef>> superCall(FunctionEmitter &f,
                                                                   py::handle node) {
    if (kindOf(node) != Kind::Call || kindOf(field(node, "func")) != Kind::Name ||
        identifier(field(node, "func"), "id") != "super" || py::len(field(node, "keywords")))
        return std::nullopt;
    std::optional<ExternalRef> callee = resolve(f, field(node, "func"));
    if (!callee || callee->object.ptr() != reinterpret_cast<PyObject *>(&PySuper_Type))
        return std::nullopt;
    py::object given = field(node, "args");
    std::optional<ExternalRef> self;
    py::object type;
    if (py::len(given) == 2) {
        self = objectArgument(f, given[py::int_(1)]);
        if (std::optional<ExternalRef> named = resolve(f, given[py::int_(0)]))
            type = named->object;
    } else if (f.code.attr("co_argcount").cast<int>() > 0) {
        const ExternalRef *first = f.objectNamed(text(f.code.attr("co_varnames")[py::int_(0)]));
        self = first ? std::optional(*first) : std::nullopt;
        type = memberOf(f.function, py::str("__class__"));
    }
    if (!self || !type || !PyType_Check(type.ptr()))
        return std::nullopt;
    return std::pair(type, *self);
}

std::optional<ExternalRef> inherited(FunctionEmitter &f, py::handle node) {
    auto known = superCall(f, field(node, "value"));
    if (!known)
        return std::nullopt;
    const auto &[start, self] = *known;
    f.session.objectNumber(self);
    const std::string name = f.mangled(identifier(node, "attr"));
    const bool ofClass = PyType_Check(self.object.ptr());
    const py::object own = ofClass ? self.object : py::object(py::type::of(self.object));
    f.session.addGuard(own, "", own.attr("__mro__"));
    bool passed = false;
    for (py::handle type : own.attr("__mro__")) {
        auto *known = reinterpret_cast<PyTypeObject *>(type.ptr());
        if (passed && !(known->tp_flags & Py_TPFLAGS_HEAPTYPE))
            break;
        const auto found = py::reinterpret_steal<py::object>(
            passed ? dictItem(known->tp_dict, name.c_str()).release() : nullptr);
        if (passed)
            f.session.addGuard(known->tp_dict, name, found);
        passed |= type.is(start);
        if (!found)
            continue;
        ExternalRef member{unwrapJitted(found), {}, ""};
        const bool property = Py_TYPE(found.ptr()) == &PyProperty_Type;
        if (property)
            member.object = unwrapJitted(found.attr("fget"));
        else if (PyObject_TypeCheck(found.ptr(), &PyStaticMethod_Type))
            return ExternalRef{unwrapJitted(found.attr("__func__")), {}, ""};
        else if (!isPlainFunction(member.object))
            return std::nullopt;
        member.property = property;
        member.receiver = std::make_shared<const ExternalRef>(self);
        return member;
    }
    const py::object super = py::handle((PyObject *)&PySuper_Type)(start, self.object);
    if (!hasAttribute(super, name.c_str()))
        f.missingAttribute(node, "'super' object has no attribute '" + name + "'");
    return std::nullopt;
}

} // namespace shapecast::capture
