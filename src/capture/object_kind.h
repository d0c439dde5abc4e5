// Objects as arguments: functions, and instances of classes written in Python.
//
// Compiled code knows no objects. Capture reads through them: a method is captured like any other
// function, and an attribute (or a closure variable) that is an array, a number or a string becomes
// a hidden argument, which each call reads from its own object. What capture took for granted of
// the object itself is the object's kind.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace shapecast::capture {

// A plain function, a bound method, an instance of a class written in Python, or such a class;
// what is an array, a number, a container or a string by inheritance is none.
bool isObject(pybind11::handle object);
// A list, tuple or dict with instances in it: capture goes over them.
bool holdsObjects(pybind11::handle container);
// An array of records: capture reads and stores its fields, p['x'], which are views.
bool isRecordArray(pybind11::handle object);
constexpr Py_ssize_t mostItems = 48; // lists of more numbers are arrays in compiled code

// A list of floats, or of ints, that is not empty.
bool isOfNumbers(pybind11::handle list);
// An instance of a class written in Python, or such a class.
bool hasAttributes(pybind11::handle object);

bool isEnumMember(pybind11::handle object);

// What compiled code only hands on to Python: an instance of a class that is not written in Python
// (a random generator), or an array of a dtype that is not compiled for.
bool isOpaque(pybind11::handle object);

// What an object holds under a name: an attribute, of a function a closure variable, of a list,
// tuple or dict an item. Null without an exception set where there is nothing.
pybind11::object heldBy(pybind11::handle object, pybind11::handle name);

// What two objects have in common for which the same captured code is right: the class of
// instances, and of what a method is bound to; the code, globals and defaults of functions.
// Lists and tuples of so many items, and dicts with these keys, are of one kind; so are ranges of
// one step, and arrays of one dtype. Anything else is of its own kind.
class ObjectKind {
public:
    static ObjectKind of(pybind11::handle object);
    bool admits(pybind11::handle object) const { return isOnly(object) || *this == of(object); }
    bool isOnly(pybind11::handle object) const { return form == Same && what.is(object); }
    bool operator==(const ObjectKind &other) const;
    int traverse(visitproc visit, void *arg) const { // for the cycle collector
        Py_VISIT(what.ptr());
        Py_VISIT(bound.ptr());
        return 0;
    }

private:
    enum Form { Instance, Same, Function, Method, Container } form = Instance;
    pybind11::object what;  // the class, the object, the function; of a container class and keys
    pybind11::object bound; // of a method: the class of its object
};

// A jitted function's plain function; any other object itself.
pybind11::object unwrapJitted(pybind11::handle object);
inline bool isPlainFunction(pybind11::handle object) { return PyFunction_Check(object.ptr()); }

} // namespace shapecast::capture
