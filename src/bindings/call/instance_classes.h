// The classes of instances in memory, as the text of a container tells of them (containers.h).
#pragma once

#include "bindings/call/instance_forms.h"

#include <map>

namespace shapecast::bindings {

struct InstanceClass {
    struct Attribute {
        size_t bit; // of the first word of an entry: whether it is set
        Ref name;
        bool isSlot = false; // else in the instance's dict
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
// The dict of an instance that Python has; of one of `collections` attributesOf() it. Null: it has
// none, or with an exception set.
Ref ownDict(PyObject *object, const InstanceClass &its);
// Empty where it is not set.
Ref ownAttribute(PyObject *object, PyObject *dict, const InstanceClass::Attribute &attribute);
bool setOwnAttribute(PyObject *object, PyObject *dict, const InstanceClass::Attribute &attribute,
                     PyObject *value);

} // namespace shapecast::bindings
