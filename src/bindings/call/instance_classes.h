// The classes of instances in memory, as the text of a container tells of them (containers.h).
#pragma once

#include "bindings/call/instance_forms.h"

#include <map>

namespace shapecast::bindings {

struct InstanceClass {
    struct Attribute {
        size_t bit; // of the first word of an entry: whether it is set
        Ref name;
    };
    Ref type;
    std::vector<Attribute> attributes;
    const char *forms; // of these, in the text
    bool isReplaced;   // of library/collections.py: the real one is made of it
    // Whether the object is an instance, or such a class stands for its class.
    bool isOf(PyObject *object) const;
};

Ref recordClass(size_t number); // the N-th of _objects.py's `records`
// By number. `text` outlives them.
std::map<size_t, InstanceClass> instanceClasses(const char *text);
// Of an instance that Python has; empty where it is not set. `replaced`: attributesOf() it.
Ref ownAttribute(PyObject *object, PyObject *name, PyObject *replaced = nullptr);

} // namespace shapecast::bindings
