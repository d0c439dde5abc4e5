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
            Ref name = Ref::steal(PyUnicode_FromStringAndSize(text, end - text));
            its.attributes.push_back({bit, std::move(name)});
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

Ref ownAttribute(PyObject *object, PyObject *name, PyObject *replaced) {
    if (replaced)
        return dictItem(replaced, name);
    PyTypeObject *type = Py_TYPE(object);
    const Ref own =
        type->tp_dictoffset ? Ref::steal(PyObject_GenericGetDict(object, nullptr)) : Ref();
    Ref found = own ? dictItem(own.get(), name) : Ref();
    if (const Ref slot = found ? Ref() : typeAttribute(type, name);
        slot && Py_TYPE(slot.get()) == &PyMemberDescr_Type)
        found = Ref::steal(PyObject_GenericGetAttr(object, name));
    if (!found)
        PyErr_Clear();
    return found;
}

} // namespace shapecast::bindings
