#include "bindings/call/opaque_kinds.h"

#include "capture/interrupts.h"

#include <mutex>
#include <unordered_map>

namespace shapecast::bindings {

int32_t opaqueKindOf(PyObject *object) {
    // By class, where all objects of a class are of one kind. -2: they are not.
    static auto *known = new std::unordered_map<PyTypeObject *, int32_t>();
    static std::mutex mutex;
    {
        const std::lock_guard lock(mutex);
        const auto found = known->find(Py_TYPE(object));
        if (found != known->end() && found->second >= 0)
            return found->second;
    }
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._callouts"));
    Ref kind =
        module ? Ref::steal(PyObject_CallMethod(module.get(), "kind_of", "(O)", object)) : Ref();
    if (!kind)
        return -1;
    const auto number = int32_t(PyLong_AsLong(PyTuple_GET_ITEM(kind.get(), 0)));
    const bool ofClass = PyTuple_GET_ITEM(kind.get(), 1) == Py_True;
    const std::lock_guard lock(mutex);
    if (known->emplace(Py_TYPE(object), ofClass ? number : -2).second)
        Py_INCREF(Py_TYPE(object)); // so that its address is not reused
    return number;
}

std::string opaqueKindName(int32_t kind) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._callouts"));
    Ref name =
        module ? Ref::steal(PyObject_CallMethod(module.get(), "kind_name", "i", kind)) : Ref();
    const char *text = name ? PyUnicode_AsUTF8(name.get()) : nullptr;
    capture::forgetError();
    return text ? text : "object";
}

} // namespace shapecast::bindings
