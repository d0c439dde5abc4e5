// External names: of functions and classes of NumPy, math and others that the compiler knows.
#pragma once

#include "llvm/ADT/StringRef.h"

#include "capture/python.h"

#include <pybind11/pybind11.h>

#include <string>

namespace shapecast::capture {

// An attribute that is a string; "" for others.
std::string stringAttribute(pybind11::handle object, const char *name);
// A module that needs no guards.
bool isKnownModule(llvm::StringRef name);
// At import: copies the dicts of library modules. What is put there later is the user's (patched).
void snapshotModuleNames();
// The unpatched attribute of a library module; null where there is none.
pybind11::object originalAttribute(const std::string &module, const std::string &name);
// Dotted name of a function or type of NumPy, math or builtins, whatever alias it was found under;
// "" for others.
std::string externalName(pybind11::handle object);
// "float64" for np.float64 and np.dtype("f8"), "" for other objects.
std::string dtypeName(pybind11::handle object);

} // namespace shapecast::capture
