#include "bindings/call/instance_classes.h"

#include "capture/interrupts.h"

#include <cstring>

namespace shapecast::bindings {

Ref recordClass(size_t number) {
    const Ref module = Ref::steal(PyImport_ImportModule("shapecast._objects"));
    const Ref records =
        module ? Ref::steal(PyObject_GetAttrString(module.get(), "records")) : Ref();
    return records ? listItem(records.get(), Py_ssize_t(number)) : Ref();
}

// And the colon after it.
static size_t countIn(const char *&text) {
    char *end = nullptr;
    const size_t number = std::strtoul(text, &end, 10);
    text = end + 1;
    return number;
}

static PyTypeObject *typeOf(const InstanceClass &its) {
    return reinterpret_cast<PyTypeObject *>(its.type.get());
}

std::map<size_t, InstanceClass> instanceClasses(const char *text) {
    std::map<size_t, InstanceClass> classes;
    while ((text = std::strchr(text, '\x1e'))) {
        text += std::strlen("\x1erecord:");
        const size_t number = countIn(text);
        InstanceClass its;
        its.type = recordClass(countIn(text));
        its.isReplaced = its.type && capture::hasAttribute(its.type.get(), "_to_python");
        for (size_t left = countIn(text); left > 0; --left) {
            const size_t bit = countIn(text);
            const char *end = std::strchr(text, ':');
            PyObject *name = PyUnicode_FromStringAndSize(text, end - text);
            if (name)
                PyUnicode_InternInPlace(&name); // as the keys of dicts are
            const Ref slot = its.type && name ? typeAttribute(typeOf(its), name) : Ref();
            const bool isSlot = slot && Py_TYPE(slot.get()) == &PyMemberDescr_Type;
            its.attributes.push_back({bit, Ref::steal(name), isSlot});
            text = end + 1;
        }
        its.forms = text;
        classes.emplace(number, std::move(its));
    }
    return classes;
}

bool InstanceClass::isOf(PyObject *object) const {
    const InstanceForm *form = isReplaced ? instanceForm(Py_TYPE(object)) : nullptr;
    return type.get() == (form ? form->made : reinterpret_cast<PyObject *>(Py_TYPE(object)));
}

Ref ownDict(PyObject *object, const InstanceClass &its) {
    if (its.isReplaced)
        return attributesOf(object);
    return Py_TYPE(object)->tp_dictoffset ? Ref::steal(PyObject_GenericGetDict(object, nullptr))
                                          : Ref();
}

Ref ownAttribute(PyObject *object, PyObject *dict, const InstanceClass::Attribute &attribute) {
    if (!attribute.isSlot)
        return dict ? dictItem(dict, attribute.name.get()) : Ref();
    Ref found = Ref::steal(PyObject_GenericGetAttr(object, attribute.name.get()));
    if (!found)
        PyErr_Clear();
    return found;
}

bool setOwnAttribute(PyObject *object, PyObject *dict, const InstanceClass::Attribute &attribute,
                     PyObject *value) {
    return (attribute.isSlot || !dict ? PyObject_GenericSetAttr(object, attribute.name.get(), value)
                                      : PyDict_SetItem(dict, attribute.name.get(), value)) == 0;
}

} // namespace shapecast::bindings
