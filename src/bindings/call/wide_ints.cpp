// By Python's own operators, as the C interface to the digits differs from version to version.
#include "bindings/call/wide_ints.h"

namespace shapecast::bindings {

bool wideIntWords(PyObject *integer, int64_t *words) {
    words[0] = int64_t(PyLong_AsUnsignedLongLongMask(integer));
    Ref shift = Ref::steal(PyLong_FromLong(64));
    Ref high = Ref::steal(shift ? PyNumber_Rshift(integer, shift.get()) : nullptr);
    int overflow = 0;
    words[1] = high ? PyLong_AsLongLongAndOverflow(high.get(), &overflow) : -1;
    const bool failed = PyErr_Occurred();
    PyErr_Clear();
    return !failed && overflow == 0;
}

PyObject *wideIntObject(const int64_t *words) {
    if (words[1] == words[0] >> 63)
        return PyLong_FromLongLong(words[0]);
    Ref low = Ref::steal(PyLong_FromUnsignedLongLong(uint64_t(words[0])));
    Ref high = Ref::steal(PyLong_FromLongLong(words[1]));
    Ref shift = Ref::steal(PyLong_FromLong(64));
    if (!low || !high || !shift)
        return nullptr;
    Ref upper = Ref::steal(PyNumber_Lshift(high.get(), shift.get()));
    return upper ? PyNumber_Or(upper.get(), low.get()) : nullptr;
}

} // namespace shapecast::bindings
