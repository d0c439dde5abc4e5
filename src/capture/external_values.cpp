// The values of objects from outside the function: hidden arguments, constants, containers.
#include "capture/callees.h"
#include "capture/constants.h"
#include "capture/emitter.h"
#include "capture/enum_members.h"
#include "capture/flag_members.h"
#include "capture/functions.h"
#include "capture/made_classes.h"
#include "capture/object_class.h"
#include "capture/object_state.h"
#include "capture/outside_instances.h"
#include "capture/record_classes.h"

#include "llvm/Support/SaveAndRestore.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static Value emitRange(FunctionEmitter &f, const ExternalRef &found, py::handle node);
static Value emitContainer(FunctionEmitter &f, const ExternalRef &found, py::handle node);

// Arrays, and numbers that change, are hidden arguments; other objects are constants.
// An instance of our class for bytes, whose attribute is the string of characters with these codes;
// for a regular expression, whose attribute is its key; or for a frozenset: a set.
static Value replacedValue(FunctionEmitter &f, py::handle object, Value attribute) {
    const py::object type = replacedClass(py::type::handle_of(object));
    f.session.addMadeClass(type);
    const Value made = emitNewInstance(f, type),
                name = f.staticValue("str", PyBytes_Check(object.ptr()) ? "_text"
                                            : isPattern(object)         ? "_key"
                                                                        : "_items");
    np::MethodOp::create(f.builder, f.loc, f.any, made, "object.__setattr__",
                         ValueRange{name, attribute}, ArrayAttr());
    return made;
}

static std::string keyOfPattern(py::handle pattern) {
    return text(py::module_::import("shapecast.library.regular_expressions")
                    .attr("key_of_pattern")(pattern));
}

Value emitReplaced(FunctionEmitter &f, const ExternalRef &found) {
    if (found.owner < 0 && found.number < 0)
        return replacedValue(
            f, found.object,
            f.staticValue("str", isPattern(found.object)
                                     ? keyOfPattern(found.object)
                                     : text(found.object.attr("decode")("latin-1"))));
    const unsigned number = f.session.hiddenItself(f.session.objectNumber(found));
    return replacedValue(f, found.object, np::GlobalOp::create(f.builder, f.loc, f.any, number));
}

// A tuple with instances in memory, of which each item by itself is read at each call: they are the
// same as long as the guard holds. Null for others.
static Value emitTupleOfInstances(FunctionEmitter &f, const ExternalRef &found, py::handle node) {
    if (!f.session.options.instancesInMemory || !PyTuple_CheckExact(found.object.ptr()) ||
        !holdsInstances(found.object))
        return {};
    py::dict holder;
    SmallVector<Value> items;
    for (py::handle item : found.object) {
        const std::string name = std::to_string(items.size());
        holder[name.c_str()] = item;
        items.push_back(
            emitExternal(f, {py::reinterpret_borrow<py::object>(item), holder, name}, node));
    }
    f.session.result.isPortable = false;
    return np::TupleOp::create(f.builder, f.loc, f.any, items, UnitAttr());
}

Value emitExternal(FunctionEmitter &f, const ExternalRef &found, py::handle node) {
    if (isReadAsText(found.object)) {
        f.session.addGuard(found);
        return emitReplaced(f, found);
    }
    if (Value state = emitStateValue(f, found, node))
        return state;
    if (PyRange_Check(found.object.ptr()) && found.owner >= 0)
        return emitRange(f, found, node);
    if (found.object.ptr() == Py_NotImplemented)
        return emitConstant(f, found.object, node);
    if (isSentinel(found.object)) {
        f.session.addGuard(found);
        return emitSentinel(f, found.object);
    }
    const bool isInMemory = f.session.options.instancesInMemory &&
                            !PyTuple_CheckExact(found.object.ptr()) &&
                            isInstancesInMemory(found.object);
    if (isInMemory)
        noteInstancesIn(f.session, found.object);
    if (std::optional<unsigned> number = f.session.hiddenArgument(found, isInMemory)) {
        if (PyObject *ours = standsFor(Py_TYPE(found.object.ptr())))
            noteInstances(f.session, ours);
        return np::GlobalOp::create(f.builder, f.loc, f.any, *number);
    }
    if (found.property)
        return emitProperty(f, found, node);
    f.session.addGuard(found);
    if (isObject(found.object) && f.session.dtypeName(found.object).empty())
        return emitFunctionValue(f, found, node);
    if (Value container = emitContainer(f, found, node))
        return container;
    if (Value tuple = emitTupleOfInstances(f, found, node))
        return tuple;
    return emitConstant(f, found.object, node);
}

// A range in an object: its bounds are read at each call.
static Value emitRange(FunctionEmitter &f, const ExternalRef &found, py::handle node) {
    const int number = f.session.objectNumber(found);
    auto bound = [&](const char *name) {
        return emitExternal(f, {found.object.attr(name), {}, name, number}, node);
    };
    return f.callNamed("builtins.range", {bound("start"), bound("stop"),
                                          emitConstant(f, found.object.attr("step"), node)});
}

// What the guard of a dict compares whose keys are no names: k, d[k], ...
static py::tuple keysAndValues(const py::dict &dict) {
    py::list all;
    for (auto [key, value] : dict) {
        all.append(key);
        all.append(value);
    }
    return py::tuple(all);
}

// Whether it may become an argument in memory: numbers, strings, None, and containers of these.
static bool holdsData(py::handle object, int depth = 0) {
    constexpr int deepest = 6;
    const ObjectClass ofClass = classify(object.ptr());
    const auto holds = [&](py::handle items) {
        return llvm::all_of(items, [&](py::handle item) { return holdsData(item, depth + 1); });
    };
    if (ofClass == ObjectClass::None || ofClass == ObjectClass::Str || isNumber(ofClass))
        return true;
    if (depth == deepest || !(ofClass == ObjectClass::List || ofClass == ObjectClass::Tuple ||
                              ofClass == ObjectClass::Dict || PyAnySet_CheckExact(object.ptr())))
        return false;
    return holds(object) && (ofClass != ObjectClass::Dict || holds(object.attr("values")()));
}

// Whether the global is this very object.
static bool isHeldBy(const HiddenUse &use, py::handle object) {
    PyObject *holder = use.holder.ptr();
    if (PyCell_Check(holder))
        return cellContents(holder).get() == object.ptr();
    return PyDict_Check(holder) && dictItem(holder, use.name.c_str()).get() == object.ptr();
}

// A dict of constants, or a list, as it is at capture; null for other objects. The guard on
// its keys or items makes it recaptured when these change.
static Value emitContainer(FunctionEmitter &f, const ExternalRef &found, py::handle node) {
    const ObjectClass ofClass = classify(found.object.ptr());
    const bool dict = ofClass == ObjectClass::Dict;
    if (!dict && ofClass != ObjectClass::List)
        return {};
    const auto items = py::reinterpret_steal<py::tuple>(PySequence_Tuple(found.object.ptr()));
    static thread_local int depth = 0;
    static thread_local int32_t outermost = -1; // the number of the one around, where it has one
    llvm::SaveAndRestore deeper(depth, depth + 1), around(outermost);
    if (depth == 1) {
        const bool isOfModule = found.holder && PyDict_Check(found.holder.ptr()) &&
                                dictItem(found.holder.ptr(), "__builtins__");
        const bool isGlobal = isOfModule || (found.holder && PyCell_Check(found.holder.ptr()));
        const bool mayBe = isGlobal && holdsData(found.object);
        outermost = mayBe ? int32_t(f.session.result.containers.size()) : -1;
        if (mayBe)
            f.session.result.containers.push_back({found.holder, found.name, {}});
    }
    if (depth > 16)
        unsupported(node, "a dict or list from outside the function that holds itself is not "
                          "supported; pass what is needed of it");
    if (depth > 1 && llvm::any_of(f.session.result.hidden, [&](const HiddenUse &use) {
            return use.holder && use.owner < 0 && isHeldBy(use, found.object);
        }))
        unsupported(node, "a list or dict from outside the function that holds another one that "
                          "the function changes is not supported; pass it as an argument");
    if (items.size() > maxConstantItems)
        unsupported(node, "a " + className(found.object) + " of more than " +
                              std::to_string(maxConstantItems) +
                              " items from outside the function is not supported; pass it as an "
                              "argument, or make an array of it");
    const bool hasNames =
        llvm::all_of(items, [](py::handle item) { return PyUnicode_CheckExact(item.ptr()); });
    f.session.addGuard(found.object, "", dict && !hasNames ? keysAndValues(found.object) : items);
    SmallVector<Value> elements;
    for (py::handle item : items) {
        if (!dict) {
            elements.push_back(emitConstant(f, item, node));
            continue;
        }
        if (!hasNames) {
            elements.push_back(emitConstant(f, item, node));
            elements.push_back(emitConstant(f, found.object[item], node));
            continue;
        }
        elements.push_back(f.staticValue("str", text(item)));
        elements.push_back(emitExternal(f, {found.object[item], found.object, text(item)}, node));
    }
    auto op = np::TupleOp::create(f.builder, f.loc, f.any, elements,
                                  dict ? UnitAttr() : f.builder.getUnitAttr());
    if (dict)
        op.setDictAttr(f.builder.getUnitAttr());
    op.setArgumentAttr(outermost >= 0
                           ? Attribute(f.builder.getI32IntegerAttr(outermost))
                           : Attribute(f.builder.getStringAttr("from outside the function")));
    return op;
}

Value emitImmutableRecord(FunctionEmitter &f, py::handle object, py::handle node) {
    const py::object type = py::type::of(object);
    const std::optional<RecordClass> record = recordClass(type);
    if (!record || record->kind == "dataclass" || !isSimple(*record))
        return {};
    const std::optional<std::string> constructor = captureConstructor(f, type);
    SmallVector<Value> values{f.none()};
    for (const std::string &name : record->fields)
        values.push_back(emitConstant(f, object.attr(name.c_str()), node));
    return np::CallOp::create(f.builder, f.loc, f.any, *constructor, values, ArrayAttr(),
                              ArrayAttr(), ArrayAttr())
        .getResult();
}

Value emitConstant(FunctionEmitter &f, py::handle object, py::handle node) {
    Type type;
    if (Attribute number = numberAttr(f.session, object, type))
        return np::ConstOp::create(f.builder, f.loc, type, number);
    if (type)
        unsupported(node, "an integer beyond 128 bits is not supported; use a float");
    if (Attribute value = staticAttr(f.session, object))
        return np::ConstOp::create(f.builder, f.loc, np::StaticType::get(&f.session.context),
                                   value);
    const ObjectClass ofClass = classify(object.ptr());
    if (isReadAsText(object))
        return emitReplaced(f, {py::reinterpret_borrow<py::object>(object), {}, ""});
    if (ofClass == ObjectClass::Tuple) {
        SmallVector<Value> elements;
        for (py::handle element : object)
            elements.push_back(emitConstant(f, element, node));
        return np::TupleOp::create(f.builder, f.loc, f.any, elements, UnitAttr());
    }
    if (ofClass == ObjectClass::Range)
        return f.callNamed("builtins.range", {emitConstant(f, object.attr("start"), node),
                                              emitConstant(f, object.attr("stop"), node),
                                              emitConstant(f, object.attr("step"), node)});
    if (ofClass == ObjectClass::NumpyScalar) {
        std::string dtype = f.session.dtypeName(object.attr("dtype"));
        if (!dtype.empty()) {
            Value number = emitConstant(f, object.attr("item")(), node);
            return np::CallOp::create(f.builder, f.loc, f.any, "numpy." + dtype, ValueRange(number),
                                      ArrayAttr(), ArrayAttr(), ArrayAttr())
                .getResult();
        }
    }
    if (isPlainMember(object))
        return emitMember(f, object);
    if (isSentinel(object))
        return emitSentinel(f, object);
    if (Value flag = emitFlag(f, object))
        return flag;
    if (Value record = emitImmutableRecord(f, object, node))
        return record;
    if (Value container =
            emitContainer(f, {py::reinterpret_borrow<py::object>(object), {}, ""}, node))
        return container;
    std::string kind = className(object);
    if (ofClass == ObjectClass::Array || ofClass == ObjectClass::ArraySubclass)
        unsupported(node, "an array inside an object outside the function is not supported; give "
                          "it a name of its own, or pass it as an argument");
    requestInstancesInMemory(f, {py::reinterpret_borrow<py::object>(object), {}, ""});
    if (PyCallable_Check(object.ptr()))
        return emitFunctionValue(f, {py::reinterpret_borrow<py::object>(object), {}, ""}, node);
    unsupported(node, "a value of type '" + kind +
                          "' from outside the function is not supported; pass it as an argument");
}

} // namespace shapecast::capture
