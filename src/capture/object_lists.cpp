// Lists, tuples and dicts of objects: capture goes over them itself, since objects are no values.
#include "capture/emitter.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static bool isSequence(py::handle object) {
    return PyList_CheckExact(object.ptr()) || PyTuple_CheckExact(object.ptr());
}

// The constant that an index is: a string, or an integer, negative ones included.
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

Outside FunctionEmitter::itemOf(const Outside &container, const py::object &key) {
    if (container.owner < 0 && container.number < 0)
        session.record(container);
    const int owner = session.number(container);
    Outside item{heldBy(container.object, key), {}, "[" + text(py::repr(key)) + "]", owner};
    item.key = key;
    return item;
}

// container[key], where the item is an object, or an item of an object's container is one.
std::optional<Outside> FunctionEmitter::objectItem(py::handle subscript) {
    std::optional<Outside> base = lookUp(field(subscript, "value"));
    py::object key = constantKey(field(subscript, "slice"));
    if (!base || base->property || !key)
        return std::nullopt;
    if (recordsAt(field(subscript, "value")))
        return fieldOf(*base, field(subscript, "slice"));
    const bool list = isSequence(base->object), dict = PyDict_CheckExact(base->object.ptr());
    if ((list && !PyLong_CheckExact(key.ptr())) || (!list && !dict))
        return std::nullopt;
    if (list && py::cast<int64_t>(key) < 0)
        key = key + py::int_(py::len(base->object));
    const py::object item = heldBy(base->object, key);
    if (!item || !(hasAttributes(item) || (isSequence(item) && holdsObjects(item))))
        return std::nullopt;
    return itemOf(*base, key);
}

// The objects that a loop goes over: a list, tuple or dict.values() of them, a slice of it,
// reversed.
std::optional<std::vector<Outside>> FunctionEmitter::objectsIn(py::handle node) {
    std::vector<Outside> items;
    if (kindOf(node) == Kind::Call) {
        py::object callee = field(node, "func"), given = field(node, "args");
        if (kindOf(callee) == Kind::Name && identifier(callee, "id") == "reversed" &&
            py::len(given) == 1) {
            std::optional<std::vector<Outside>> objects = objectsIn(given[py::int_(0)]);
            if (objects)
                std::reverse(objects->begin(), objects->end());
            return objects;
        }
        if (kindOf(callee) != Kind::Attribute || identifier(callee, "attr") != "values" ||
            py::len(given))
            return std::nullopt;
        std::optional<Outside> dict = lookUp(field(callee, "value"));
        if (!dict || !PyDict_CheckExact(dict->object.ptr()) || !holdsObjects(dict->object))
            return std::nullopt;
        for (auto [key, item] : py::reinterpret_borrow<py::dict>(dict->object))
            items.push_back(itemOf(*dict, py::reinterpret_borrow<py::object>(key)));
        return items;
    }
    py::object places = py::none();
    std::optional<Outside> list;
    if (kindOf(node) == Kind::Subscript && kindOf(field(node, "slice")) == Kind::Slice) {
        py::object bounds[3];
        for (auto [bound, name] : llvm::zip(bounds, std::array{"lower", "upper", "step"})) {
            py::object given = field(node, "slice").attr(name);
            bound = given.is_none() ? py::none() : constantKey(given);
            if (!bound)
                return std::nullopt;
        }
        list = lookUp(field(node, "value"));
        places = py::reinterpret_steal<py::object>(
            PySlice_New(bounds[0].ptr(), bounds[1].ptr(), bounds[2].ptr()));
    } else {
        list = lookUp(node);
    }
    if (!list || list->property || !isSequence(list->object) || !holdsObjects(list->object))
        return std::nullopt;
    auto range = py::reinterpret_steal<py::object>(PyObject_CallFunction(
        reinterpret_cast<PyObject *>(&PyRange_Type), "n", Py_ssize_t(py::len(list->object))));
    if (!places.is_none())
        range = range[places];
    for (py::handle place : range)
        items.push_back(itemOf(*list, py::reinterpret_borrow<py::object>(place)));
    return items;
}

// What a loop over `iter` binds in each turn: objects, and with enumerate() and zip() values.
std::optional<std::vector<FunctionEmitter::Turn>> FunctionEmitter::objectTurns(py::handle target,
                                                                               py::handle iter) {
    std::vector<Turn> turns;
    if (kindOf(target) == Kind::Name) {
        std::optional<std::vector<Outside>> objects = objectsIn(iter);
        for (const Outside &object : objects.value_or(std::vector<Outside>()))
            turns.push_back({Bound{py::reinterpret_borrow<py::object>(target), object, {}, {}}});
        return objects ? std::optional(turns) : std::nullopt;
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
    std::vector<std::optional<std::vector<Outside>>> columns;
    size_t count = 0;
    for (py::handle argument : given)
        if (columns.push_back(objectsIn(argument)); columns.back())
            count = std::max(count, columns.back()->size());
    if (llvm::none_of(columns, [](const auto &column) { return bool(column); }))
        return std::nullopt;
    for (size_t turn = 0; turn < count; ++turn) {
        Turn bound;
        if (name == "enumerate")
            bound.push_back({targets[py::int_(0)], {}, py::int_(turn), {}});
        for (auto [k, column] : llvm::enumerate(columns)) {
            py::object to = targets[py::int_(k + (name == "enumerate"))];
            if (column && column->size() != count)
                unsupported(iter,
                            "zip() of lists of objects of different lengths is not supported");
            if (column && kindOf(to) != Kind::Name)
                return std::nullopt;
            bound.push_back({to, column ? std::optional((*column)[turn]) : std::nullopt,
                             py::int_(turn), column ? py::object() : given[py::int_(k)]});
        }
        turns.push_back(std::move(bound));
    }
    return turns;
}

// Binds what a turn has; the objects until forget().
void FunctionEmitter::bindTurn(const Turn &turn, llvm::function_ref<void(py::handle, Value)> bind) {
    for (const Bound &bound : turn) {
        if (bound.object) {
            bindObject(identifier(bound.target, "id"), *bound.object, bound.target);
            continue;
        }
        Value place = constant(bound.place, bound.target);
        if (bound.values) // zip() with a list or array of values
            place = np::GetItemOp::create(builder, loc, any, expression(bound.values), place);
        bind(bound.target, place);
    }
}

void FunctionEmitter::forgetTurn(const Turn &turn) {
    for (const Bound &bound : turn)
        if (bound.object)
            forgetObject(identifier(bound.target, "id"));
}

// From here to forgetObject() the variable stands for the object.
void FunctionEmitter::bindObject(const std::string &name, const Outside &object, py::handle node) {
    if (bound.contains(name) || objects.contains(name))
        unsupported(node, "the variable '" + name +
                              "' is an object and is assigned again; give the other one another "
                              "name");
    lost.erase(name);
    innerSymbols.clear(); // they may use the variable
    bound[name] = object;
}

void FunctionEmitter::forgetObject(const std::string &name) {
    bound.erase(name);
    innerSymbols.clear();
    lost.insert(name);
}

// `for target in objects: body else: orelse` is a loop of one turn for the first object, whose else
// is the loop for the others.
Statement *FunctionEmitter::objectLoop(const Statement &s, ArrayRef<Turn> turns) {
    Statement &first = *syntax.all.emplace_back(std::make_unique<Statement>(s));
    objectTurn[&first] = turns.front();
    if (turns.size() > 1)
        first.orelse = {objectLoop(s, turns.drop_front())};
    return &first;
}

} // namespace shapecast::capture
