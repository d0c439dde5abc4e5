#include "capture/object_class.h"

#include <iterator>
#include <utility>

namespace shapecast::capture {
namespace {

// Of the classes without a flag in their subclasses.
ObjectClass classByBase(PyTypeObject *base) {
    if (base == &PyArray_Type)
        return ObjectClass::ArraySubclass;
    if (base == &PyArrayDescr_Type)
        return ObjectClass::Dtype;
    if (base == &PyFloat_Type)
        return ObjectClass::FloatSubclass;
    if (base == &PyComplex_Type)
        return ObjectClass::ComplexSubclass;
    if (base == &PySet_Type || base == &PyFrozenSet_Type)
        return ObjectClass::Set;
    return base == &PyModule_Type ? ObjectClass::Module : ObjectClass::Other;
}

ObjectClass classByFlag(PyTypeObject *type, ObjectClass otherwise) {
    static constexpr std::pair<unsigned long, ObjectClass> flags[] = {
        {Py_TPFLAGS_LONG_SUBCLASS, ObjectClass::IntSubclass},
        {Py_TPFLAGS_UNICODE_SUBCLASS, ObjectClass::StrSubclass},
        {Py_TPFLAGS_BYTES_SUBCLASS, ObjectClass::BytesSubclass},
        {Py_TPFLAGS_TUPLE_SUBCLASS, ObjectClass::TupleSubclass},
        {Py_TPFLAGS_LIST_SUBCLASS, ObjectClass::ListSubclass},
        {Py_TPFLAGS_DICT_SUBCLASS, ObjectClass::DictSubclass},
        {Py_TPFLAGS_TYPE_SUBCLASS, ObjectClass::Type}};
    for (auto [flag, ofClass] : flags)
        if (PyType_HasFeature(type, flag))
            return ofClass;
    return otherwise;
}

ObjectClass classByBases(PyTypeObject *type) {
    ObjectClass found = ObjectClass::Other;
    PyObject *bases = type->tp_mro;
    for (Py_ssize_t i = 0; bases && i < PyTuple_GET_SIZE(bases); ++i) {
        auto *base = reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(bases, i));
        // Some of NumPy's scalars inherit from a class of Python's numbers or strings, too.
        if (base == &PyGenericArrType_Type)
            return ObjectClass::NumpyScalar;
        if (found == ObjectClass::Other)
            found = classByBase(base);
    }
    return classByFlag(type, found);
}

ObjectClass classUncached(PyTypeObject *type) {
    static constexpr std::pair<PyTypeObject *, ObjectClass> exact[] = {
        {&PyList_Type, ObjectClass::List},         {&PyTuple_Type, ObjectClass::Tuple},
        {&PyDict_Type, ObjectClass::Dict},         {&PyUnicode_Type, ObjectClass::Str},
        {&PyFunction_Type, ObjectClass::Function}, {&PyMethod_Type, ObjectClass::Method},
        {&PyRange_Type, ObjectClass::Range},       {&PyEllipsis_Type, ObjectClass::Ellipsis},
        {&PyBytes_Type, ObjectClass::Bytes}};
    for (auto [candidate, ofClass] : exact)
        if (type == candidate)
            return ofClass;
    return type == Py_TYPE(Py_None) ? ObjectClass::None : classByBases(type);
}

} // namespace

ObjectClass classOfType(PyTypeObject *type) {
    struct Known {
        PyTypeObject *type;
        unsigned version; // changes with the base classes, and is never given to another class
        ObjectClass ofClass;
    };
    static SC_GUARDED_BY_GIL Known table[64];
    Known &known = table[reinterpret_cast<uintptr_t>(type) / 64 % std::size(table)];
    const unsigned version = versionOf(type);
    if (version && known.type == type && known.version == version)
        return known.ofClass;
    const ObjectClass ofClass = classUncached(type);
    if (version)
        known = {type, version, ofClass};
    return ofClass;
}

} // namespace shapecast::capture
