#include "bindings/call/instance_forms.h"

#include "capture/made_classes.h"
#include "capture/record_classes.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <mutex>

namespace shapecast::bindings {

namespace py = pybind11;

Ref attributesOf(PyObject *object) {
    static PyObject *const function =
        py::object(py::module_::import("shapecast.library.collections").attr("attributes_of"))
            .release()
            .ptr();
    return Ref::steal(PyObject_CallOneArg(function, object));
}

static std::unique_ptr<InstanceForm> readForm(PyTypeObject *type) {
    PyObject *const replaced = capture::standsFor(type);
    const py::handle object = replaced ? replaced : reinterpret_cast<PyObject *>(type);
    std::optional<std::string> text;
    bool isFrozen = false;
    const capture::FrozenClasses asInstances(true, isFrozen);
    try {
        text = capture::instancesText(object);
    } catch (py::error_already_set &) { // a class that computes its attributes, say
    }
    auto form = std::make_unique<InstanceForm>();
    form->type = type;
    form->made = object.ptr();
    object.inc_ref(); // forms live as long as the process
    if (!text)
        return form;
    form->text = *text;
    form->isFrozen = isFrozen;
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(form->text).split(' ').first.split(words, ';');
    for (llvm::StringRef word : words)
        if (word.consume_front("!"))
            form->always.push_back(word.str());
    for (py::handle base : object.attr("__mro__")) {
        const Ref names = Ref::share(reinterpret_cast<PyTypeObject *>(base.ptr())->tp_dict);
        PyObject *name, *value;
        Py_ssize_t at = 0;
        while (names && PyDict_Next(names.get(), &at, &name, &value))
            if (Py_TYPE(value) == &PyMemberDescr_Type)
                form->slots.push_back(Ref::share(name));
    }
    return form;
}

const InstanceForm *instanceForm(PyTypeObject *type) {
    static auto *known = new std::map<PyTypeObject *, const InstanceForm *>;
    static auto *mutex = new std::mutex;
    const auto usable = [](const InstanceForm *form) {
        const bool isNone =
            form->text.empty() || (form->isFrozen && !capture::FrozenClasses::areInstances());
        return isNone ? nullptr : form;
    };
    {
        const std::lock_guard lock(*mutex);
        if (auto found = known->find(type); found != known->end() && found->second->version &&
                                            found->second->version == versionOf(type))
            return usable(found->second);
    }
    std::unique_ptr<InstanceForm> made = readForm(type); // runs Python code: without the lock
    made->version = versionOf(type);                     // which the look-ups have assigned
    const std::lock_guard lock(*mutex);
    const InstanceForm *&form = (*known)[type];
    if (!form || form->text != made->text) // others may still read the one before
        form = made.release();
    else
        const_cast<InstanceForm *>(form)->version = made->version;
    return usable(form);
}

bool forEachAttribute(PyObject *object, const InstanceForm &form, std::vector<Ref> &kept,
                      llvm::function_ref<bool(PyObject *, PyObject *)> use) {
    const bool isReplaced = capture::isOfCollections(object);
    if (isReplaced || form.type->tp_dictoffset != 0) {
        const Ref own = isReplaced ? attributesOf(object)
                                   : Ref::steal(PyObject_GenericGetDict(object, nullptr));
        if (!own)
            return PyErr_Clear(), false;
        if (isReplaced)
            kept.push_back(Ref::share(own.get()));
        PyObject *name, *value;
        Py_ssize_t at = 0;
        ObjectLock lock(own.get());
        while (PyDict_Next(own.get(), &at, &name, &value))
            if (!use(name, value))
                return false;
    }
    for (const Ref &name : form.slots) {
        const Ref value = Ref::steal(PyObject_GenericGetAttr(object, name.get()));
        if (!value)
            PyErr_Clear(); // it is not set
        else if (!use(name.get(), value.get()))
            return false;
    }
    return true;
}

} // namespace shapecast::bindings
