// Names of what compiled code knows by name: functions and classes of NumPy, math and others.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <pybind11/pybind11.h>

#include <string>

namespace shapecast::capture {

// An attribute that is a string; "" for others.
std::string stringAttribute(pybind11::handle object, const char *name);
// One that is taken to stay as it is.
bool isKnownModule(llvm::StringRef name);
// At import: what modules of libraries have now is theirs, what is put there later is the user's.
void keepFirstNames();
// What a module of a library had at first under a name, whatever stands there now; null for others.
pybind11::object originalAttribute(const std::string &module, const std::string &name);
// Dotted name of a function or type of NumPy, math or builtins, under whatever name it was found;
// "" for others.
std::string externalName(pybind11::handle object);
// "float64" for np.float64 and np.dtype("f8"), "" for other objects.
std::string dtypeName(pybind11::handle object);

} // namespace shapecast::capture
