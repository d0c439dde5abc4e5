#include "bindings/call/changed_objects.h"

#include "bindings/call/errors.h"
#include "capture/interrupts.h"
#include "capture/object_class.h"

#include <cstring>

namespace shapecast::bindings {
namespace {

using capture::classify;
using capture::ObjectClass;

// The same object, or an indistinguishable number or string: a store that changes nothing could
// turn a class attribute into an instance attribute, say.
bool isSame(PyObject *before, PyObject *now) {
    if (before == now)
        return true;
    if (!before || Py_TYPE(before) != Py_TYPE(now))
        return false;
    const ObjectClass ofClass = classify(now);
    if (ofClass == ObjectClass::Float) {
        const double a = PyFloat_AS_DOUBLE(before), b = PyFloat_AS_DOUBLE(now);
        return std::memcmp(&a, &b, sizeof a) == 0;
    }
    if (ofClass == ObjectClass::NumpyScalar &&
        (PyArray_IsScalar(now, Number) || PyArray_IsScalar(now, Bool))) {
        alignas(16) char a[32] = {}, b[32] = {}; // of complex long doubles at most
        PyArray_ScalarAsCtype(before, a);
        PyArray_ScalarAsCtype(now, b);
        return std::memcmp(a, b, sizeof a) == 0;
    }
    if (ofClass != ObjectClass::Int && ofClass != ObjectClass::Str)
        return false;
    const int equal = PyObject_RichCompareBool(before, now, Py_EQ);
    if (equal < 0)
        capture::forgetError();
    return equal > 0;
}

bool storeList(PyObject *list, PyObject *items) {
    if (PyList_GET_SIZE(list) == PyList_GET_SIZE(items)) {
        bool same = true;
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i)
            if (Ref old = listItem(list, i))
                same &= isSame(old.get(), PyList_GET_ITEM(items, i));
        if (same)
            return true;
    }
    return PyList_SetSlice(list, 0, PY_SSIZE_T_MAX, items) == 0;
}

// Appends new keys in their order; where the old keys are no prefix of the new ones, the dict is
// cleared and filled again.
bool storeDict(PyObject *dict, PyObject *now) {
    PyObject *key, *value, *old;
    Py_ssize_t at = 0, atOld = 0;
    ObjectLock lock(dict);
    bool prefix = PyDict_GET_SIZE(dict) <= PyDict_GET_SIZE(now);
    while (prefix && PyDict_Next(dict, &atOld, &old, nullptr)) {
        PyDict_Next(now, &at, &key, nullptr);
        const Ref held = Ref::share(old);
        prefix = PyObject_RichCompareBool(old, key, Py_EQ) == 1;
    }
    if (!prefix)
        PyDict_Clear(dict);
    at = 0;
    while (PyDict_Next(now, &at, &key, &value))
        if (!isSame(dictItem(dict, key).get(), value) && PyDict_SetItem(dict, key, value) < 0)
            return false;
    return true;
}

bool storeAttributes(const ChangedObject &change, PyObject *object, PyObject *values) {
    for (size_t i = 0; i < change.names.size(); ++i) {
        PyObject *value = PyTuple_GET_ITEM(values, Py_ssize_t(i));
        if (value == absentValue())
            continue;
        Ref before = Ref::steal(PyObject_GetAttr(object, change.names[i].get()));
        capture::forgetError();
        if (!isSame(before.get(), value) &&
            PyObject_SetAttr(object, change.names[i].get(), value) < 0)
            return false;
    }
    return true;
}

std::string labelOf(const ChangedObject &change) {
    std::string text;
    for (const Ref &name : change.names)
        text +=
            (text.empty() ? "" : ", ") + ("'" + std::string(PyUnicode_AsUTF8(name.get()))) + "'";
    if (!text.empty())
        return (change.names.size() > 1 ? "the attributes " : "the attribute ") + text;
    return "a list or dict";
}

} // namespace

std::vector<ChangedObject> planChanges(mlir::Attribute attribute) {
    std::vector<ChangedObject> changes;
    auto writes = mlir::dyn_cast_or_null<mlir::ArrayAttr>(attribute);
    for (mlir::Attribute attr : writes ? writes.getValue() : llvm::ArrayRef<mlir::Attribute>()) {
        auto write = mlir::cast<np::ObjectWriteAttr>(attr);
        ChangedObject change;
        change.target = planNode(write.getTarget());
        change.contents = planNode(write.getTree());
        auto state = mlir::dyn_cast<np::ObjectStateAttr>(write.getTarget());
        if (state && state.getForm() == "names")
            for (np::PyAttr name : state.getKeys().getAsRange<np::PyAttr>())
                change.names.push_back(
                    Ref::steal(PyUnicode_InternFromString(name.getText().str().c_str())));
        changes.push_back(std::move(change));
    }
    return changes;
}

bool storeChanges(const std::vector<ChangedObject> &changes, const Call &call,
                  llvm::ArrayRef<Ref> contents) {
    for (auto [change, now] : llvm::zip_equal(changes, contents)) {
        PyObject *object = callersObject(change.target, call);
        const bool stored = !change.names.empty() ? storeAttributes(change, object, now.get())
                            : classify(object) == ObjectClass::List ? storeList(object, now.get())
                                                                    : storeDict(object, now.get());
        if (!stored)
            return false;
    }
    return true;
}

void noteLost(const std::vector<ChangedObject> &changes) {
    std::string text;
    for (const ChangedObject &change : changes)
        text += (text.empty() ? "" : "; ") + labelOf(change);
    addNote("shapecast: if this call changed " + text +
            " before the error, the changes are not written back");
}

} // namespace shapecast::bindings
