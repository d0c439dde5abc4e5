#include "capture/object_queries.h"

#include "capture/dependencies.h"
#include "capture/enum_members.h"
#include "capture/made_classes.h"
#include "capture/objects.h"
#include "capture/record_classes.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static bool namesClasses(FunctionEmitter &f, py::handle node, bool inUnion);

// Whether two names refer to one object; none where that may differ in another call.
static std::optional<bool> sameObject(FunctionEmitter &f, const ExternalRef &a,
                                      const ExternalRef &b) {
    const int first = f.session.objectNumber(a), second = f.session.objectNumber(b);
    const auto &objects = f.session.result.objects;
    auto isFixed = [](const ExternalRef &o) {
        return PyType_Check(o.object.ptr()) || isEnumMember(o.object);
    };
    auto isExternal = [&](int number) { return bool(objects[size_t(number)].constant); };
    auto isMember = [&](int number) { return objects[size_t(number)].owner >= 0; };
    if (first == second)
        return true;
    const bool alike =
        !isMember(first) && !isMember(second) && isExternal(first) == isExternal(second);
    if (alike || isFixed(a) || isFixed(b))
        return a.object.is(b.object);
    return std::nullopt;
}

Value emitObjectTest(FunctionEmitter &f, py::handle comparison) {
    py::object ops = field(comparison, "ops");
    py::object other = field(comparison, "comparators")[py::int_(0)];
    const std::string op = className(ops[py::int_(0)]);
    const bool is = op == "Is" || op == "IsNot", equal = op == "Eq" || op == "NotEq";
    const bool among = (op == "In" || op == "NotIn") &&
                       (kindOf(other) == Kind::Tuple || kindOf(other) == Kind::List);
    if (py::len(ops) != 1 || (!is && !equal && !among))
        return {};
    std::optional<ExternalRef> found = lookUp(f, field(comparison, "left"));
    if (!found || found->property || !isObject(found->object))
        return {};
    const bool negated = op == "IsNot" || op == "NotEq" || op == "NotIn";
    if (is && kindOf(other) == Kind::Constant) {
        f.session.addGuard(*found);
        return f.boolean(negated);
    }
    // Other classes have an __eq__ of their own.
    auto plain = [](py::handle object) {
        return py::getattr(py::type::of(object), "__eq__")
            .is(py::getattr((PyObject *)&PyBaseObject_Type, "__eq__"));
    };
    bool any = false;
    const py::list others =
        among ? py::list(field(other, "elts")) : py::list(py::make_tuple(other));
    for (py::handle node : others) {
        std::optional<ExternalRef> right = lookUp(f, node);
        if (!right || right->property || !isObject(right->object) ||
            (!is && (!plain(found->object) || !plain(right->object))))
            return {};
        std::optional<bool> same = sameObject(f, *found, *right);
        if (!same)
            unsupported(comparison, "whether these are the same object is not known when "
                                    "compiling, and not supported; compare their attributes");
        any |= *same;
    }
    return f.boolean(any != negated);
}

static SmallVector<py::object> toVector(const py::object &list) {
    SmallVector<py::object> items;
    for (py::handle item : list)
        items.push_back(py::reinterpret_borrow<py::object>(item));
    return items;
}

Value emitInstanceTest(FunctionEmitter &f, py::handle call) {
    py::object given = field(call, "args");
    std::optional<ExternalRef> object, type;
    if (py::len(given) == 2)
        object = objectArgument(f, given[py::int_(0)]);
    if (!object)
        return {};
    f.session.objectNumber(*object);
    SmallVector<py::object> classes{given[py::int_(1)]};
    for (size_t i = 0; i < classes.size(); ++i) { // `(A, B)`, `A | B | None`
        const py::object node = classes[i];
        if (kindOf(node) == Kind::Tuple)
            for (py::handle one : field(node, "elts"))
                classes.push_back(py::reinterpret_borrow<py::object>(one));
        else if (kindOf(node) == Kind::BinOp && namesClasses(f, node, false))
            for (const char *side : {"left", "right"}) // an object is never None
                if (py::object one = field(node, side); kindOf(one) != Kind::Constant)
                    classes.push_back(one);
        if (kindOf(node) == Kind::Tuple || kindOf(node) == Kind::BinOp)
            continue;
        if (!(type = resolve(f, node)))
            unsupported(node, "a class that is not known when compiling is not supported here");
        const int is = PyObject_IsInstance(object->object.ptr(), type->object.ptr());
        if (is < 0) {
            py::error_already_set error;
            if (error.matches(PyExc_KeyboardInterrupt))
                throw error;
            f.fail("TypeError", text(py::str(error.value())), rangeOf(node));
        }
        if (is)
            return f.boolean(true);
    }
    return f.boolean(false);
}

// Whether the node is a class, a union or alias of classes, or a tuple or `|` of such.
static bool namesClasses(FunctionEmitter &f, py::handle node, bool inUnion) {
    auto all = [&](ArrayRef<py::object> nodes, bool inUnion) {
        return llvm::all_of(nodes, [&](py::handle n) { return namesClasses(f, n, inUnion); });
    };
    if (kindOf(node) == Kind::Tuple)
        return all(toVector(field(node, "elts")), false);
    if (kindOf(node) == Kind::BinOp && className(field(node, "op")) == "BitOr")
        return all({field(node, "left"), field(node, "right")}, true);
    if (kindOf(node) == Kind::Constant)
        return inUnion && field(node, "value").is_none();
    const bool isSubscript = kindOf(node) == Kind::Subscript; // list[int], typing.Optional[int]
    std::optional<ExternalRef> found = resolve(f, isSubscript ? field(node, "value") : node);
    if (!found || PyType_Check(found->object.ptr()))
        return found.has_value();
    const std::string home = stringAttribute(py::type::of(found->object), "__module__");
    return home == "typing" || home == "types"; // int | float, typing.Union, typing.Sequence
}

Value emitClass(FunctionEmitter &f, py::handle node) {
    if (!namesClasses(f, node, false))
        return emitExpression(f, node);
    SmallVector<py::object> several;
    if (kindOf(node) == Kind::Tuple)
        several = toVector(field(node, "elts"));
    else if (kindOf(node) == Kind::BinOp)
        several = {field(node, "left"), field(node, "right")};
    SmallVector<Value> classes;
    for (const py::object &one : several)
        classes.push_back(kindOf(one) == Kind::Constant ? f.staticValue("class", "NoneType")
                                                        : emitClass(f, one));
    if (!several.empty())
        return np::TupleOp::create(f.builder, f.locationOf(rangeOf(node)), f.any, classes,
                                   UnitAttr());
    if (kindOf(node) == Kind::Subscript)
        unsupported(node,
                    "a class that is made in the call of isinstance is not supported; give it "
                    "a name outside the function");
    ExternalRef found = *resolve(f, node);
    if (PyExceptionClass_Check(found.object.ptr()))
        return emitExpression(f, node);
    found.object = replacedClass(found.object);
    if (recordClass(found.object) || isPlainEnum(found.object) ||
        stringAttribute(found.object, "__module__") == "enum") // Flag, IntFlag
        return f.staticValue("class", recordName(found.object));
    if (hasOrdinaryInstances(found.object))
        return f.staticValue(
            "class", // anything may be registered as an instance of an abstract one
            (py::type::of(found.object).is(py::type::of(py::type::of(found.object)))
                 ? ""
                 : "abstract ") +
                recordName(found.object));
    const py::object known =
        py::module_::import("shapecast._objects").attr("classes_of_values")(found.object);
    if (PyUnicode_Check(known.ptr()))
        unsupported(node, text(known));
    if (known.is_none())
        return emitExpression(f, node);
    for (py::handle one : known)
        classes.push_back(f.staticValue("class", text(one)));
    return np::TupleOp::create(f.builder, f.locationOf(rangeOf(node)), f.any, classes, UnitAttr());
}

// The node `object.name` to replace a call of getattr or hasattr.
static py::object attributeNode(py::handle call, const py::object &base, const py::object &name) {
    const py::module_ ast = py::module_::import("ast");
    py::object node = ast.attr("Attribute")(base, name, ast.attr("Load")());
    return ast.attr("copy_location")(node, call);
}

// Whether the object has the attribute, with a guard; none where the function may change that.
static std::optional<bool> hasAttributeAtCapture(FunctionEmitter &f, const ExternalRef &object,
                                                 const std::string &name) {
    const int number = f.session.objectNumber(object);
    if (f.session.isAssigned(number, name))
        return std::nullopt;
    const auto value = py::reinterpret_steal<py::object>(
        PyObject_GetAttrString(object.object.ptr(), name.c_str()));
    if (value)
        return true;
    py::error_already_set error;
    if (!error.matches(PyExc_AttributeError))
        throw error;
    f.session.result.absent.push_back({number, py::str(name)});
    return false;
}

Value emitAttributeQuery(FunctionEmitter &f, const std::string &function, py::handle call) {
    const py::object given = field(call, "args");
    const size_t count = py::len(given), most = function == "builtins.getattr" ? 3 : 2;
    if (count < 2 || count > most || py::len(field(call, "keywords")))
        return {};
    const py::object base = given[py::int_(0)], key = given[py::int_(1)];
    const py::object name = kindOf(key) == Kind::Constant ? field(key, "value") : py::object();
    if (!name || !PyUnicode_CheckExact(name.ptr()) || f.mangled(text(name)) != text(name))
        return {};
    std::optional<ExternalRef> object = objectArgument(f, base);
    if (!object)
        return {};
    const py::object read = attributeNode(call, base, name);
    if (function == "builtins.getattr" && count == 2)
        return emitExpression(f, read);
    const std::optional<bool> has = hasAttributeAtCapture(f, *object, text(name));
    if (!has)
        return {};
    if (function == "builtins.getattr")
        return emitExpression(f, *has ? read : py::object(given[py::int_(2)]));
    if (std::optional<ExternalRef> found = *has ? lookUp(f, read) : std::nullopt)
        if (!found->property && !f.session.hiddenArgument(*found)) // else: read at each call
            f.session.addGuard(*found);
    return f.boolean(*has);
}

Value emitCallableTest(FunctionEmitter &f, py::handle call) {
    const py::object given = field(call, "args");
    std::optional<ExternalRef> object;
    if (py::len(given) == 1)
        object = objectArgument(f, given[py::int_(0)]);
    if (!object || object->property)
        return {};
    const int number = f.session.objectNumber(*object);
    const bool is = PyCallable_Check(object->object.ptr());
    if (!is) // guard: the class has no such method
        f.session.result.absent.push_back({number, py::str("__call__")});
    else if (!PyType_Check(object->object.ptr()))
        f.session.addGuard(*objectAttribute(f, *object, "__call__", call));
    return f.boolean(is);
}

std::optional<ExternalRef> typeOfCall(FunctionEmitter &f, py::handle call) {
    const py::object given = field(call, "args");
    if (kindOf(field(call, "func")) != Kind::Name || py::len(given) != 1)
        return std::nullopt;
    std::optional<ExternalRef> called = lookUp(f, field(call, "func"));
    if (!called || called->object.ptr() != reinterpret_cast<PyObject *>(&PyType_Type))
        return std::nullopt;
    std::optional<ExternalRef> object = objectArgument(f, given[py::int_(0)]);
    if (!object || PyType_Check(object->object.ptr()))
        return std::nullopt;
    f.session.addGuard(*called);
    return objectAttribute(f, *object, "__class__", call);
}

} // namespace shapecast::capture
