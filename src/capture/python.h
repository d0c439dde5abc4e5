// CPython's and NumPy's C interfaces, as capture/ and bindings/ use them beside pybind11: no other
// file includes their headers, and what differs between Pythons, or between builds with and
// without the interpreter lock (the GIL), stands here.
//
// Beyond the documented interface the module reads these fields, which Pythons 3.11 to 3.14 have
// (tests/compiler/test_structure.py compares the list with the sources):
//
//   types       tp_alloc tp_as_mapping tp_as_number tp_as_sequence tp_basicsize tp_call
//               tp_descr_set tp_dict tp_dictoffset tp_flags tp_free tp_getattro tp_iter tp_mro
//               tp_name tp_richcompare tp_setattro tp_version_tag
//   functions   func_builtins func_closure func_code func_defaults func_doc func_globals
//   func_kwdefaults
//               func_name func_qualname
//   code        co_argcount co_flags co_kwonlyargcount co_posonlyargcount
//   tracebacks  tb_frame tb_next
//   others      c_profilefunc (thread state, before 3.13) cval (complex) ob_fval (float) ob_item
//   (list) ob_ref (cell)
//               ma_version_tag (dict, only in 3.11)
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>

#define PY_ARRAY_UNIQUE_SYMBOL shapecast_numpy_api // filled by module.cpp
#ifndef SHAPECAST_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace shapecast {

class Ref { // an owned reference; its thread is attached to the interpreter
    PyObject *object = nullptr;

public:
    Ref() = default;
    static Ref steal(PyObject *object) {
        Ref ref;
        ref.object = object;
        return ref;
    }
    static Ref share(PyObject *object) { return steal(Py_XNewRef(object)); }
    Ref(Ref &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
    Ref(const Ref &other) : object(Py_XNewRef(other.object)) {}
    Ref &operator=(Ref other) noexcept {
        std::swap(object, other.object);
        return *this;
    }
    ~Ref() { Py_XDECREF(object); }
    PyObject *get() const { return object; }
    PyObject *release() { return std::exchange(object, nullptr); }
    explicit operator bool() const { return object != nullptr; }
};

//===-- Exceptions

// The exception that is set, if one is, normalised and with its traceback. The error indicator is
// clear afterwards.
inline Ref takeException() {
#if PY_VERSION_HEX >= 0x030C0000
    return Ref::steal(PyErr_GetRaisedException());
#else
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (!type)
        return {};
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback)
        PyException_SetTraceback(value, traceback);
    Py_XDECREF(traceback);
    Py_DECREF(type);
    return Ref::steal(value);
#endif
}

// Sets it again; none: clears the indicator.
inline void setException(Ref exception) {
#if PY_VERSION_HEX >= 0x030C0000
    PyErr_SetRaisedException(exception.release());
#else
    PyObject *value = exception.release();
    if (!value)
        return PyErr_Clear();
    PyErr_Restore(Py_NewRef(reinterpret_cast<PyObject *>(Py_TYPE(value))), value,
                  PyException_GetTraceback(value));
#endif
}

//===-- Without the interpreter lock

// For data of each thread where there is no GIL, and of the process where the GIL guards it.
#ifdef Py_GIL_DISABLED
#define SC_GUARDED_BY_GIL thread_local
#else
#define SC_GUARDED_BY_GIL
#endif

// Holds the lock of an object (nothing with the GIL), as CPython's own code does while it changes a
// list or dict. Like the GIL it is let go wherever the thread waits or detaches.
class ObjectLock {
#ifdef Py_GIL_DISABLED
    PyCriticalSection section;
    PyObject *object;

public:
    explicit ObjectLock(PyObject *object) : object(object) { lock(); }
    ~ObjectLock() { unlock(); }
    void lock() { PyCriticalSection_Begin(&section, object); }
    void unlock() { PyCriticalSection_End(&section); }
#else
public:
    explicit ObjectLock(PyObject *) {}
    ~ObjectLock() {} // so that a variable of it counts as used
    void lock() {}
    void unlock() {}
#endif
    ObjectLock(const ObjectLock &) = delete;
    ObjectLock &operator=(const ObjectLock &) = delete;
};

// What another thread may replace where a lock is let go, kept for as long as it is used. With the
// GIL, which only Python code lets go, a reference is enough.
#ifdef Py_GIL_DISABLED
template <class T> using Kept = const std::shared_ptr<T>;
#else
template <class T> using Kept = const std::shared_ptr<T> &;
#endif

// For the module's own data that are no function's: what is known of objects and classes, captures
// and compilations. A function's own data (variants, caches) are under the lock of its object,
// which is taken before.
class CoreLock : ObjectLock {
    inline static PyObject *object = nullptr; // of no use but its lock

public:
    CoreLock() : ObjectLock(object) {}
    static bool init() { // false with an exception set
        object = PyObject_CallNoArgs(reinterpret_cast<PyObject *>(&PyBaseObject_Type));
        return object;
    }
};

// Owned items: of lists, dicts and cells of the user's, which other threads may change at any time
// where there is no GIL. Empty where there is no such item; no exception is set.
inline Ref listItem(PyObject *list, Py_ssize_t index) {
    ObjectLock lock(list);
    return index < PyList_GET_SIZE(list) ? Ref::share(PyList_GET_ITEM(list, index)) : Ref();
}
inline Ref sequenceItem(PyObject *listOrTuple, Py_ssize_t index) {
    return PyList_Check(listOrTuple) ? listItem(listOrTuple, index)
                                     : Ref::share(PyTuple_GET_ITEM(listOrTuple, index));
}
inline Ref dictItem(PyObject *dict, PyObject *key) {
#if PY_VERSION_HEX >= 0x030D0000
    PyObject *found = nullptr;
    if (PyDict_GetItemRef(dict, key, &found) < 0)
        PyErr_Clear();
    return Ref::steal(found);
#else
    Ref found = Ref::share(PyDict_GetItemWithError(dict, key));
    if (!found && PyErr_Occurred())
        PyErr_Clear();
    return found;
#endif
}
inline Ref dictItem(PyObject *dict, const char *key) {
    Ref name = Ref::steal(PyUnicode_FromString(key));
    if (!name)
        PyErr_Clear();
    return name ? dictItem(dict, name.get()) : Ref();
}
inline Ref cellContents(PyObject *cell) {
    ObjectLock lock(cell);
    return Ref::share(PyCell_GET(cell));
}

inline Ref sysAttribute(const char *name) { // an attribute of the module sys
    Ref sys = Ref::steal(PyImport_ImportModule("sys"));
    Ref found = sys ? Ref::steal(PyObject_GetAttrString(sys.get(), name)) : Ref();
    if (!found)
        PyErr_Clear();
    return found;
}

// Whether this thread's calls are to be shown to a profiler.
inline bool isProfiled() {
#if PY_VERSION_HEX >= 0x030D0000
    // For sys.setprofile too, which is a tool of sys.monitoring since 3.12. Not for debuggers and
    // coverage (tools 0, 1 and 7), which would stop in a line that nobody wrote.
    SC_GUARDED_BY_GIL static PyMonitoringState state = {};
    SC_GUARDED_BY_GIL static uint64_t version = 0;
    static const uint8_t event = PY_MONITORING_EVENT_PY_START;
    PyMonitoring_EnterScope(&state, &version, &event, 1); // compares numbers where nothing changed
    return (state.active & 0b0111'1100) != 0;
#else
    return PyThreadState_Get()->c_profilefunc != nullptr;
#endif
}

//===-- Types

// The attribute that instances of the type find in it or its base classes; no descriptor is called.
inline Ref typeAttribute(PyTypeObject *type, PyObject *name) {
    Ref bases = Ref::share(type->tp_mro);
    for (Py_ssize_t k = 0; bases && k < PyTuple_GET_SIZE(bases.get()); ++k) {
        auto *base = reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(bases.get(), k));
#if PY_VERSION_HEX >= 0x030C0000
        Ref names = Ref::steal(PyType_GetDict(base)); // built-in types of 3.12 have none in tp_dict
#else
        Ref names = Ref::share(base->tp_dict);
#endif
        if (Ref found = names ? dictItem(names.get(), name) : Ref())
            return found;
    }
    return {};
}

// A number that changes with the type and its bases, and that no other type gets; 0: it has none
// (before 3.12: not before an attribute was looked up in it).
inline unsigned versionOf(PyTypeObject *type) {
    const auto now = [&] { return __atomic_load_n(&type->tp_version_tag, __ATOMIC_ACQUIRE); };
#if PY_VERSION_HEX >= 0x030C0000
    if (const unsigned version = now())
        return version;
    return PyUnstable_Type_AssignVersionTag(type) ? now() : 0;
#else
    return PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG) ? now() : 0;
#endif
}

} // namespace shapecast
