// Classes in Python whose instances calls pass to be in memory: attributes in their dict, or slots.
// For those of `collections` instances of our library's classes are there.
#pragma once

#include "capture/python.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace shapecast::bindings {

struct InstanceForm {
    PyTypeObject *type;
    PyObject *made; // `type`, or the class that stands for it
    unsigned version;
    bool isFrozen = false; // a dataclass: null where these are values (capture/record_classes.h)
    std::string text;      // "17,3;__eq__;!x Node": as of those that compiled code makes
    std::vector<Ref> slots;
    std::vector<std::string> always; // attributes that each instance has to have
};

// Null: compiled code makes no such instances as Python does, or they are values (frozen).
const InstanceForm *instanceForm(PyTypeObject *type);
// Of those that are set, in the order of their first assignment. Stops where `use` returns false.
// `kept` gets what has to live as long as the values are looked up by their addresses.
bool forEachAttribute(PyObject *object, const InstanceForm &form, std::vector<Ref> &kept,
                      llvm::function_ref<bool(PyObject *name, PyObject *value)> use);
// Of one of `collections`: a dict of the attributes of what stands for it; null with an exception
// set.
Ref attributesOf(PyObject *object);

} // namespace shapecast::bindings
