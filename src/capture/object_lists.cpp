#include "capture/object_lists.h"

#include "capture/enum_members.h"

#include "capture/object_class.h"
#include "capture/objects.h"
#include "capture/outside_instances.h"
#include "capture/record_arrays.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static bool isSequence(py::handle object) {
    const ObjectClass ofClass = classify(object.ptr());
    return ofClass == ObjectClass::List || ofClass == ObjectClass::Tuple;
}

// The value of a constant index: a string, or an integer, negative ones included.
static py::object constantKey(py::handle index) {
    if (kindOf(index) == Kind::Constant)
        return field(index, "value");
    if (kindOf(index) == Kind::UnaryOp && className(field(index, "op")) == "USub" &&
        kindOf(field(index, "operand")) == Kind::Constant)
        if (py::object value = field(field(index, "operand"), "value");
            PyLong_CheckExact(value.ptr()))
            return -value;
    return {};
}

std::optional<ExternalRef> objectItem(FunctionEmitter &f, py::handle subscript) {
    std::optional<ExternalRef> base = lookUp(f, field(subscript, "value"));
    py::object key = constantKey(field(subscript, "slice"));
    if (!base || base->property || !key)
        return std::nullopt;
    if (recordsAt(f, field(subscript, "value")))
        return fieldOf(f, *base, field(subscript, "slice"));
    if (isEnumClass(base->object) && PyUnicode_CheckExact(key.ptr()))
        if (py::object members = base->object.attr("__members__"); members.contains(key))
            return ExternalRef{members[key], {}, ""};
    const bool list = isSequence(base->object), dict = PyDict_CheckExact(base->object.ptr());
    if ((list && !PyLong_CheckExact(key.ptr())) || (!list && !dict))
        return std::nullopt;
    if (list && py::cast<int64_t>(key) < 0)
        key = key + py::int_(py::len(base->object));
    const py::object item = memberOf(base->object, key);
    const bool isOne = item && (hasAttributes(item) || isReadAsText(item));
    if (!item || !(isOne || (isSequence(item) && containsObjects(item))))
        return std::nullopt;
    return itemOf(f, *base, key);
}

std::optional<std::vector<ExternalRef>> objectsIn(FunctionEmitter &f, py::handle node) {
    std::vector<ExternalRef> items;
    if (kindOf(node) == Kind::Call) {
        py::object callee = field(node, "func"), given = field(node, "args");
        if (kindOf(callee) == Kind::Name && identifier(callee, "id") == "reversed" &&
            py::len(given) == 1) {
            std::optional<std::vector<ExternalRef>> objects = objectsIn(f, given[py::int_(0)]);
            if (objects)
                std::reverse(objects->begin(), objects->end());
            return objects;
        }
        if (kindOf(callee) != Kind::Attribute || identifier(callee, "attr") != "values" ||
            py::len(given))
            return std::nullopt;
        std::optional<ExternalRef> dict = lookUp(f, field(callee, "value"));
        if (!dict || !PyDict_CheckExact(dict->object.ptr()) || !containsObjects(dict->object))
            return std::nullopt;
        for (auto [key, item] : py::reinterpret_borrow<py::dict>(dict->object))
            items.push_back(itemOf(f, *dict, py::reinterpret_borrow<py::object>(key)));
        return items;
    }
    py::object slice = py::none();
    std::optional<ExternalRef> list;
    if (kindOf(node) == Kind::Subscript && kindOf(field(node, "slice")) == Kind::Slice) {
        py::object bounds[3];
        for (auto [bound, name] : llvm::zip(bounds, std::array{"lower", "upper", "step"})) {
            py::object given = field(node, "slice").attr(name);
            bound = given.is_none() ? py::none() : constantKey(given);
            if (!bound)
                return std::nullopt;
        }
        list = lookUp(f, field(node, "value"));
        slice = py::reinterpret_steal<py::object>(
            PySlice_New(bounds[0].ptr(), bounds[1].ptr(), bounds[2].ptr()));
    } else {
        list = lookUp(f, node);
    }
    if (!list || list->property || !isSequence(list->object) || !containsObjects(list->object))
        return std::nullopt;
    auto range = py::reinterpret_steal<py::object>(PyObject_CallFunction(
        reinterpret_cast<PyObject *>(&PyRange_Type), "n", Py_ssize_t(py::len(list->object))));
    if (!slice.is_none())
        range = range[slice];
    for (py::handle index : range)
        items.push_back(itemOf(f, *list, py::reinterpret_borrow<py::object>(index)));
    return items;
}

std::optional<std::vector<Iteration>> objectIterations(FunctionEmitter &f, py::handle target,
                                                       py::handle iter) {
    std::vector<Iteration> iterations;
    if (kindOf(target) == Kind::Name) {
        std::optional<std::vector<ExternalRef>> objects = objectsIn(f, iter);
        for (const ExternalRef &object : objects.value_or(std::vector<ExternalRef>()))
            iterations.push_back(
                {LoopBinding{py::reinterpret_borrow<py::object>(target), object, {}, {}}});
        return objects ? std::optional(iterations) : std::nullopt;
    }
    const bool call = kindOf(iter) == Kind::Call && kindOf(field(iter, "func")) == Kind::Name;
    const std::string name = call ? identifier(field(iter, "func"), "id") : "";
    if ((name != "enumerate" && name != "zip") || kindOf(target) != Kind::Tuple)
        return std::nullopt;
    py::object targets = field(target, "elts"), given = field(iter, "args");
    if (name == "enumerate" && (py::len(given) != 1 || py::len(targets) != 2))
        return std::nullopt;
    if (name == "zip" && py::len(given) != py::len(targets))
        return std::nullopt;
    std::vector<std::optional<std::vector<ExternalRef>>> columns;
    size_t count = 0;
    for (py::handle argument : given)
        if (columns.push_back(objectsIn(f, argument)); columns.back())
            count = std::max(count, columns.back()->size());
    if (llvm::none_of(columns, [](const auto &column) { return bool(column); }))
        return std::nullopt;
    for (size_t index = 0; index < count; ++index) {
        Iteration iteration;
        if (name == "enumerate")
            iteration.push_back({targets[py::int_(0)], {}, py::int_(index), {}});
        for (auto [k, column] : llvm::enumerate(columns)) {
            py::object to = targets[py::int_(k + (name == "enumerate"))];
            if (column && column->size() != count)
                unsupported(iter,
                            "zip() of lists of objects of different lengths is not supported");
            if (column && kindOf(to) != Kind::Name)
                return std::nullopt;
            iteration.push_back({to, column ? std::optional((*column)[index]) : std::nullopt,
                                 py::int_(index), column ? py::object() : given[py::int_(k)]});
        }
        iterations.push_back(std::move(iteration));
    }
    return iterations;
}

void bindIteration(FunctionEmitter &f, const Iteration &iteration,
                   llvm::function_ref<void(py::handle, Value)> bind) {
    for (const LoopBinding &binding : iteration) {
        if (binding.object) {
            bindObject(f, identifier(binding.target, "id"), *binding.object, binding.target);
            continue;
        }
        Value value = emitConstant(f, binding.index, binding.target);
        if (binding.values) // zip() with a list or array of values
            value = np::GetItemOp::create(f.builder, f.loc, f.any,
                                          emitExpression(f, binding.values), value);
        bind(binding.target, value);
    }
}

void forgetIteration(FunctionEmitter &f, const Iteration &iteration) {
    for (const LoopBinding &binding : iteration)
        if (binding.object)
            forgetObject(f, identifier(binding.target, "id"));
}

void bindObject(FunctionEmitter &f, const std::string &name, const ExternalRef &object,
                py::handle node) {
    if (f.objectVariables.contains(name) || f.objectParameters.contains(name)) {
        requestInstancesInMemory(f.session);
        unsupported(node, "the variable '" + name +
                              "' is an object and is assigned again; give the other one another "
                              "name");
    }
    f.expiredObjectVariables.erase(name);
    f.innerSymbols.clear(); // nested functions may use the variable
    f.objectVariables[name] = object;
}

void forgetObject(FunctionEmitter &f, const std::string &name) {
    f.objectVariables.erase(name);
    f.innerSymbols.clear();
    f.expiredObjectVariables.insert(name);
}

Statement *objectLoop(FunctionEmitter &f, const Statement &s, ArrayRef<Iteration> iterations) {
    Statement &first = *f.syntax.all.emplace_back(std::make_unique<Statement>(s));
    f.objectIteration[&first] = iterations.front();
    if (iterations.size() > 1)
        first.orelse = {objectLoop(f, s, iterations.drop_front())};
    return &first;
}

} // namespace shapecast::capture
