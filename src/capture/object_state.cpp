#include "capture/object_state.h"

#include "capture/emitter.h"
#include "capture/interrupts.h"
#include "capture/object_class.h"
#include "capture/objects.h"
#include "capture/outside_instances.h"
#include "capture/session.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static bool isContainer(py::handle object) {
    const ObjectClass ofClass = classify(object.ptr());
    if (ofClass != ObjectClass::Tuple) // with arrays, lists ...: others are part of the signature
        return ofClass == ObjectClass::List || ofClass == ObjectClass::Dict;
    return llvm::any_of(py::reinterpret_borrow<py::tuple>(object), [](py::handle item) {
        return isContainer(item) || hasAttribute(item, "__array__");
    });
}

static std::vector<py::object> keysOf(py::handle container) {
    std::vector<py::object> keys;
    if (classify(container.ptr()) == ObjectClass::Dict)
        for (auto [key, item] : py::reinterpret_borrow<py::dict>(container))
            keys.push_back(py::reinterpret_borrow<py::object>(key));
    else
        for (size_t i = 0; i < py::len(container); ++i)
            keys.push_back(py::int_(i));
    return keys;
}

bool Session::isAssigned(int object, const std::string &name) const {
    return assigned.contains({result.objects[size_t(object)].label, name});
}

int Session::stateContainer(const ExternalRef &external,
                            const std::function<void(const std::string &)> &refuse) {
    const int own = objectNumber(external);
    if (llvm::is_contained(stateContainers, own))
        return own;
    if (openContainers.size() > 16)
        refuse("a list or dict that holds itself is not supported; pass what is needed of it");
    PyObject *list = external.object.ptr();
    if (isNumberList(list) && (options.anyLength || PyList_GET_SIZE(list) > maxListItems)) {
        result.objects[size_t(own)].isNumberList = true;
        result.hidden.push_back({{}, result.objects[size_t(own)].label, own, {}});
        stateContainers.push_back(own);
        return own;
    }
    openContainers.push_back(own);
    for (const py::object &key : keysOf(external.object)) {
        ExternalRef item{memberOf(external.object, key), {}, "[" + text(py::repr(key)) + "]", own};
        item.key = key;
        const bool known = PyUnicode_CheckExact(key.ptr()) || PyLong_CheckExact(key.ptr());
        if (!known)
            refuse("the keys of the dict " + result.objects[size_t(own)].label +
                   " are not all strings and integers; pass a dict with such keys");
        if (isContainer(item.object))
            stateContainer(item, refuse);
        else if (!hiddenAttribute(item))
            refuse(
                "the item " + result.objects[size_t(own)].label + item.name + " is a " +
                className(item.object) +
                ", and objects in lists and dicts are not supported here; iterate over them in a "
                "'for', or use one by its constant index");
    }
    openContainers.pop_back();
    stateContainers.push_back(own);
    return own;
}

static Attribute keyAttr(OpBuilder &b, py::handle key) {
    if (PyLong_CheckExact(key.ptr()))
        return b.getI64IntegerAttr(py::cast<int64_t>(key));
    return np::PyAttr::get(b.getContext(), "str", text(key));
}

void Session::describeStates() {
    OpBuilder b(&context);
    SmallVector<Attribute> described;
    auto itemOf = [&](int owner, const py::object &object, const py::object &key,
                      const std::string &name) -> Attribute {
        ExternalRef item{object, {}, name, owner};
        if (!PyUnicode_CheckExact(key.ptr()) || name.front() == '[')
            item.key = key;
        if (isContainer(object))
            return b.getArrayAttr(b.getI64IntegerAttr(objectNumber(item)));
        return b.getI64IntegerAttr(*hiddenAttribute(item));
    };
    auto describe = [&](int object, StringRef form, ArrayRef<Attribute> keys,
                        ArrayRef<Attribute> items) {
        described.push_back(np::ObjectStateAttr::get(&context, object, form, b.getArrayAttr(keys),
                                                     b.getArrayAttr(items)));
    };
    // Attributes that are lists or dicts first: these become states, too.
    std::vector<std::pair<int, std::string>> attributes;
    for (size_t i = 0; i < result.objects.size(); ++i)
        for (const auto &[label, name] : assigned)
            if (label == result.objects[i].label)
                attributes.emplace_back(int(i), name);
    for (const auto &[owner, name] : attributes) {
        py::object value = memberOf(reachedObjects[size_t(owner)], py::str(name));
        if (value && isContainer(value))
            stateContainer({value, {}, name, owner}, [&](const std::string &message) {
                throw CaptureError(unsupportedError(message, {}));
            });
    }
    for (int number : stateContainers) {
        const py::object container = reachedObjects[size_t(number)];
        SmallVector<Attribute> keys, items;
        if (result.objects[size_t(number)].isNumberList) {
            auto array = llvm::find_if(result.hidden, [&](const HiddenUse &use) {
                return use.owner == number && !use.attribute;
            });
            const bool floats = PyFloat_CheckExact(listItem(container.ptr(), 0).get());
            describe(number, floats ? "floats" : "ints", {},
                     b.getI64IntegerAttr(array - result.hidden.begin()));
            continue;
        }
        for (const py::object &key : keysOf(container)) {
            keys.push_back(keyAttr(b, key));
            items.push_back(
                itemOf(number, memberOf(container, key), key, "[" + text(py::repr(key)) + "]"));
        }
        const ObjectClass ofClass = classify(container.ptr());
        describe(number,
                 ofClass == ObjectClass::Dict    ? "keys"
                 : ofClass == ObjectClass::Tuple ? "tuple"
                                                 : "list",
                 keys, items);
    }
    std::map<int, std::pair<SmallVector<Attribute>, SmallVector<Attribute>>> objects;
    for (const auto &[owner, name] : attributes) {
        py::object value = memberOf(reachedObjects[size_t(owner)], py::str(name));
        auto &[keys, items] = objects[owner];
        keys.push_back(np::PyAttr::get(&context, "str", name));
        if (value) {
            items.push_back(itemOf(owner, value, py::str(name), name));
        } else {
            result.absent.push_back({owner, py::str(name)});
            items.push_back(b.getUnitAttr());
        }
    }
    for (const auto &[owner, parts] : objects)
        describe(owner, "names", parts.first, parts.second);
    for (const auto &[owner, parts] : objects)
        result.changed.push_back(owner);
    result.changed.insert(result.changed.end(), stateContainers.begin(), stateContainers.end());
    checkAliases();
    if (!described.empty())
        result.module->lookupSymbol<np::FuncOp>(result.entry)
            .setStatesAttr(b.getArrayAttr(described));
}

// An object with two aliases would have two separate states.
void Session::checkAliases() const {
    for (int changed : result.changed)
        for (size_t i = 0; i < reachedObjects.size(); ++i) {
            if (int(i) == changed || !reachedObjects[i].is(reachedObjects[size_t(changed)]))
                continue;
            requestInstancesInMemory(*this);
            throw CaptureError(unsupportedError(
                result.objects[i].label + " and " + result.objects[size_t(changed)].label +
                    " are the same object, which is not supported where the function changes "
                    "it; use one of the names",
                {}));
        }
}

static Value emitState(FunctionEmitter &f, int object) {
    auto op = np::GlobalOp::create(f.builder, f.loc, f.any, uint64_t(object));
    op.setStateAttr(f.builder.getUnitAttr());
    return op;
}

static std::string ownerInMessages(py::handle owner) {
    return PyType_Check(owner.ptr()) ? "type object '" + text(owner.attr("__name__")) + "'"
                                     : "'" + className(owner) + "' object";
}

Value emitStateValue(FunctionEmitter &f, const ExternalRef &found, py::handle node) {
    if ((found.owner < 0 && found.number < 0) || found.property)
        return {};
    if (isRecordArray(found.object) && !f.session.options.wholeRecords)
        throw WholeRecords();
    if (found.owner >= 0 && !found.key && f.session.isAssigned(found.owner, found.name)) {
        Value state = emitState(f, found.owner);
        auto op = state.getDefiningOp<np::GlobalOp>();
        op.setNameAttr(np::PyAttr::get(&f.session.context, "str", found.name));
        op.setMissingAttr(
            f.builder.getStringAttr(ownerInMessages(f.session.reachedObjects[size_t(found.owner)]) +
                                    " has no attribute '" + found.name + "'"));
        return state;
    }
    if (!isContainer(found.object))
        return {};
    return emitState(f, f.session.stateContainer(found, [&](const std::string &message) {
        unsupported(node, message);
    }));
}

static const char *unsupportedStoreInClass(py::handle object, const std::string &name) {
    auto *own = reinterpret_cast<PyTypeObject *>(object.ptr());
    if (Py_TYPE(object.ptr())->tp_setattro != PyType_Type.tp_setattro ||
        !(own->tp_flags & Py_TPFLAGS_HEAPTYPE))
        return "assigning to an attribute of this class is not supported, since its metaclass, or "
               "Python itself, decides what that does; return the value and assign it in the "
               "caller";
    const Ref found = typeAttribute(own, py::str(name).ptr());
    return found && hasAttribute(py::handle(found.get()), "__get__")
               ? "replacing a method or property of a class is not supported; do it outside"
               : nullptr;
}

// Only where assigning just stores: no property, no custom __setattr__.
static const char *unsupportedStore(py::handle object, const std::string &name) {
    PyTypeObject *type = Py_TYPE(object.ptr());
    if (PyType_Check(object.ptr()))
        return unsupportedStoreInClass(object, name);
    if (type->tp_setattro != PyObject_GenericSetAttr)
        return "assigning to an attribute of an object with its own __setattr__ is not supported; "
               "return the value and assign it in the caller";
    const Ref found = typeAttribute(type, py::str(name).ptr());
    PyTypeObject *ofFound = found ? Py_TYPE(found.get()) : nullptr;
    if (ofFound && ofFound->tp_descr_set && ofFound != &PyMemberDescr_Type)
        return "assigning to a property is not supported; assign to the attribute behind it";
    return nullptr;
}

void assignObjectAttribute(FunctionEmitter &f, const ExternalRef &owner, py::handle target,
                           Value value) {
    const std::string name = f.mangled(identifier(target, "attr"));
    if (const char *message = unsupportedStore(owner.object, name))
        unsupported(target, message);
    const py::object now = memberOf(owner.object, py::str(name));
    if (now && isObject(now))
        unsupported(target, "assigning to an attribute that is an object (" + className(now) +
                                ") is not supported; assign to the attributes of that object");
    ExternalRef itself = owner;
    if (PyModule_Check(owner.object.ptr())) // its label
        itself.name = text(owner.object.attr("__name__"));
    const int number = f.session.objectNumber(itself);
    bool isNew =
        f.session.assigned.emplace(f.session.result.objects[size_t(number)].label, name).second;
    if (PyType_Check(owner.object.ptr())) // which may be an argument, too
        isNew |= f.session.assigned.emplace(text(owner.object.attr("__qualname__")), name).second;
    if (isNew)
        throw RestartCapture();
    np::SetItemOp::create(f.builder, f.loc, emitState(f, number), f.staticValue("str", name), value,
                          UnitAttr());
}

} // namespace shapecast::capture
