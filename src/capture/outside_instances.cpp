#include "capture/outside_instances.h"

#include "capture/enum_members.h"
#include "capture/interrupts.h"
#include "capture/made_classes.h"
#include "capture/object_class.h"

namespace shapecast::capture {

namespace py = pybind11;

static bool hasSlots(py::handle object) {
    return hasAttribute(py::type::of(object), "__slots__");
}

bool isOrdinaryInstance(py::handle object) {
    return classify(object.ptr()) == ObjectClass::Other &&
           (hasAttribute(object, "__dict__") || hasSlots(object)) &&
           !isConstantMember(object) && !hasAttribute(object, "__get__") && // a descriptor
           instancesText(py::type::of(object)).has_value();
}

static bool isNested(py::handle object) {
    const ObjectClass ofClass = classify(object.ptr());
    return ofClass == ObjectClass::List || ofClass == ObjectClass::Tuple ||
           ofClass == ObjectClass::Dict;
}

// The items; of a dict its values.
static py::object itemsOf(py::handle object) {
    return classify(object.ptr()) == ObjectClass::Dict ? object.attr("values")()
                                                       : py::reinterpret_borrow<py::object>(object);
}

static bool holdsInstances(py::handle object, unsigned depth) {
    constexpr unsigned deepest = 4;
    if (isOrdinaryInstance(object))
        return true;
    return depth < deepest && isNested(object) &&
           llvm::any_of(
               itemsOf(object), [&](py::handle item) { return holdsInstances(item, depth + 1); });
}

bool holdsInstances(py::handle object) {
    const bool mayHold = isMutableContainer(object) || PyTuple_CheckExact(object.ptr());
    return (mayHold || isOrdinaryInstance(object)) && holdsInstances(object, 0);
}

bool isInstancesInMemory(py::handle object) {
    if (!holdsInstances(object))
        return false;
    if (isOrdinaryInstance(object) || PyTuple_CheckExact(object.ptr()))
        return true;
    std::optional<ObjectClass> common;
    return llvm::all_of(itemsOf(object), [&](py::handle item) {
        const ObjectClass ofClass = classify(item.ptr());
        return ofClass == ObjectClass::None || *(common = common.value_or(ofClass)) == ofClass;
    });
}

// The values of its attributes, in its dict and in slots.
static py::object attributesOf(py::handle object) {
    py::list values;
    if (hasAttribute(object, "__dict__"))
        for (py::handle value : object.attr("__dict__").attr("values")())
            values.append(value);
    for (py::handle base : py::type::of(object).attr("__mro__"))
        for (const auto &[name, member] : py::dict(base.attr("__dict__")))
            if (isExactly(member, PyMemberDescr_Type) && hasAttribute(object, text(name).c_str()))
                values.append(object.attr(name));
    return values;
}

namespace {
class Walk {
public:
    explicit Walk(Session &session) : session(session) {}
    void visit(py::handle object) {
        const bool isInstance = isOrdinaryInstance(object);
        if (isPlainMember(object) || isInstance)
            note(py::type::of(object), isInstance);
        if (!isInstance && !isNested(object))
            return;
        if (!seen.insert(object.ptr()).second)
            return;
        for (py::handle item : isInstance ? attributesOf(object) : itemsOf(object))
            visit(item);
    }

private:
    void note(py::object type, bool isOfInstance) {
        auto &known = session.result.classesInMemory;
        if (llvm::any_of(known, [&](const py::object &one) { return one.is(type); }))
            return;
        if (isOfInstance)
            noteInstances(session, type);
        else
            noteMembers(session, type);
        known.push_back(std::move(type));
    }

    Session &session;
    llvm::DenseSet<PyObject *> seen;
};
} // namespace

void noteInstancesIn(Session &session, py::handle object) { Walk(session).visit(object); }

void requestInstancesInMemory(const Session &session) {
    if (session.seesInstances && !session.options.instancesInMemory)
        throw InstancesInMemory();
}

void requestInstancesInMemory(FunctionEmitter &f, const ExternalRef &found) {
    if (!f.session.options.instancesInMemory && found.owner < 0 && isOrdinaryInstance(found.object))
        throw InstancesInMemory();
}

} // namespace shapecast::capture
