// Objects as arguments: functions, and instances of classes written in Python.
//
// Compiled code has no objects. Capture reads through them: a method is captured like any other
// function, and an attribute (or a closure variable) that is an array, a number or a string becomes
// a hidden argument, which each call reads from its own object. What capture assumed of the object
// itself is its ObjectKind, which each call checks.
#pragma once

#include "capture/python.h"

#include <pybind11/pybind11.h>

#include <string>

namespace shapecast::capture {

// A plain function, a bound method, an instance of a class written in Python, or such a class;
// not instances of subclasses of arrays, numbers, containers or strings.
bool isObject(pybind11::handle object);
// A list, tuple or dict that contains instances: capture unrolls loops over it.
bool containsObjects(pybind11::handle container);
// A structured array: capture reads and stores its fields, p['x'], which are views.
bool isRecordArray(pybind11::handle object);
constexpr Py_ssize_t maxListItems = 48; // longer lists of numbers are arrays in compiled code

PyObject *standsFor(PyTypeObject *type); // our class for one of `collections`; null: of no other
// A deque, defaultdict, Counter or OrderedDict itself, no instance of a subclass.
bool isOfCollections(PyObject *object);
constexpr size_t maxConstantItems = 256; // of a global list or dict whose items are constants
// A list, dict or set itself, or one of `collections`.
inline bool isMutableContainer(pybind11::handle object) {
    return PyList_CheckExact(object.ptr()) || PyDict_CheckExact(object.ptr()) ||
           PySet_CheckExact(object.ptr()) || isOfCollections(object.ptr());
}

// A list of floats, or of ints, that is not empty.
bool isNumberList(pybind11::handle list);
// An instance of a class written in Python, or such a class.
bool hasAttributes(pybind11::handle object);

// What re.compile returns.
bool isPattern(pybind11::handle object);
// bytes, or a regular expression: an instance of our class for it (made_classes.h), whose attribute
// is the string that the object is read as.
inline bool isReadAsText(pybind11::handle object) {
    return PyBytes_CheckExact(object.ptr()) || isPattern(object);
}
// These, or a frozenset, which is read as a set.
inline bool isReplacedValue(pybind11::handle object) {
    return PyFrozenSet_CheckExact(object.ptr()) || isReadAsText(object);
}

bool isEnumMember(pybind11::handle object);
// A member that is its value, too: of an IntEnum, an IntFlag, a StrEnum, a class of (int, Enum).
bool isValueMember(pybind11::handle object);
bool isFlagMember(pybind11::handle object); // of a Flag or IntFlag, or several of them together

// What compiled code only passes on to Python: an instance of a class that is not written in Python
// (a random generator), or an array of a dtype that is not compiled for.
bool isOpaque(pybind11::handle object);

// A member of an object: an attribute, of a function a closure variable, of a list, tuple, dict or
// structured array an item. Null without an exception set where there is none.
pybind11::object memberOf(pybind11::handle object, pybind11::handle name);

// What objects have in common that can share captured code: the class of instances, and of what a
// method is bound to; the code, globals and defaults of functions; the length of lists and tuples;
// the keys of dicts; the step of ranges; the dtype of structured arrays. For anything else, its
// identity.
class ObjectKind {
public:
    static ObjectKind of(pybind11::handle object);
    bool admits(pybind11::handle object) const { return isExactly(object) || *this == of(object); }
    bool isExactly(pybind11::handle object) const { return form == Identity && what.is(object); }
    bool operator==(const ObjectKind &other) const;
    int traverse(visitproc visit, void *arg) const { // for the cycle collector
        Py_VISIT(what.ptr());
        Py_VISIT(bound.ptr());
        return 0;
    }

private:
    enum Form { Instance, Identity, Function, Method, Container } form = Instance;
    pybind11::object what;  // the class, the object, the function; of a container class and keys
    pybind11::object bound; // of a method: the class of its object
};

// A jitted function's plain function; for one of contextlib.contextmanager one of ours that does
// the same; any other object itself.
pybind11::object unwrapJitted(pybind11::handle object);
inline bool isPlainFunction(pybind11::handle object) { return PyFunction_Check(object.ptr()); }

} // namespace shapecast::capture
