// Interned attribute names: see the header.
#include "capture/interrupts.h"

#include "llvm/ADT/StringMap.h"

namespace shapecast::capture {

PyObject *constantName(const char *name) {
    static auto *known =
        new llvm::StringMap<PyObject *>; // never destroyed: Python is finalised earlier
    PyObject *&string = (*known)[name];
    if (!string)
        string = PyUnicode_InternFromString(name);
    return string;
}

} // namespace shapecast::capture
