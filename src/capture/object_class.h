// What kind of Python object a value is: the one place that decides, for the arguments of calls,
// the objects that capture reads through, and the results of calls of Python.
#pragma once

#include "capture/python.h"

#include <cstdint>

namespace shapecast::capture {

// By the class of an object alone. Subclasses are named as such: NumPy and Python often treat them
// in another way, and they may override anything.
enum class ObjectClass : uint8_t {
    Array,
    Float,
    Int,
    Bool,
    Complex,
    None,
    Ellipsis,
    Str,
    Bytes,
    Tuple,
    List,
    Dict,
    Range,
    NumpyScalar, // of any subclass of np.generic; np.float64 is a subclass of float, too
    ArraySubclass,
    FloatSubclass,
    IntSubclass, // a member of an IntEnum, say
    ComplexSubclass,
    StrSubclass,
    BytesSubclass,
    TupleSubclass, // a named tuple, say
    ListSubclass,
    DictSubclass,
    Set, // or a frozenset, or of a subclass
    Dtype,
    Type,
    Function, // written in Python
    Method,   // a bound one
    Module,
    Other
};

ObjectClass classOfType(PyTypeObject *type);

// The classes that arguments are most often of come first: calls ask for each argument.
inline ObjectClass classify(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    if (type == &PyArray_Type)
        return ObjectClass::Array;
    if (type == &PyFloat_Type)
        return ObjectClass::Float;
    if (type == &PyLong_Type)
        return ObjectClass::Int;
    if (type == &PyBool_Type)
        return ObjectClass::Bool;
    if (type == &PyComplex_Type)
        return ObjectClass::Complex;
    return classOfType(type);
}

// Python's numbers, exactly of these classes; not bool.
constexpr bool isNumber(ObjectClass of) {
    return of == ObjectClass::Int || of == ObjectClass::Float || of == ObjectClass::Complex;
}
constexpr bool isTuple(ObjectClass of) {
    return of == ObjectClass::Tuple || of == ObjectClass::TupleSubclass;
}
constexpr bool isList(ObjectClass of) {
    return of == ObjectClass::List || of == ObjectClass::ListSubclass;
}
constexpr bool isDict(ObjectClass of) {
    return of == ObjectClass::Dict || of == ObjectClass::DictSubclass;
}
// A container whose items compiled code may have one by one.
constexpr bool isContainer(ObjectClass of) {
    return of == ObjectClass::List || of == ObjectClass::Tuple || of == ObjectClass::Dict;
}
// A number, string, container or array, also by inheritance; not a range.
constexpr bool isBuiltinValue(ObjectClass of) {
    switch (of) {
    case ObjectClass::None:
    case ObjectClass::Ellipsis:
    case ObjectClass::Range:
    case ObjectClass::Dtype:
    case ObjectClass::Type:
    case ObjectClass::Function:
    case ObjectClass::Method:
    case ObjectClass::Module:
    case ObjectClass::Other:
        return false;
    default:
        return true;
    }
}

} // namespace shapecast::capture
