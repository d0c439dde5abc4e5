// Checks whose errors name the type of a value.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// The type of an operand in the errors of NumPy's object loops, which compute with Python objects.
std::string objectTypeName(const Val &v);
// Python's TypeError where its function of that name does not take so many arguments, or these
// keywords.
void checkArity(TypedBuilder &e, llvm::StringRef function, size_t count,
                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// AttributeError, or what Python says instead, where it has no such attribute.
[[noreturn]] void failWithoutAttribute(TypedBuilder &e, const Val &v, llvm::StringRef name);
// The same where the class of v is known to have no such attribute.
void checkHasAttribute(TypedBuilder &e, const Val &v, llvm::StringRef name);
// Whether iter() raises a TypeError; not for what Python would have to be asked.
bool isNotIterable(const Val &v);
// An array of Python's, of strings, say, with axes: each item is read by Python.
bool isPythonArray(const Val &v);
// Python's TypeError where it is not iterable; `form` has {0} for its class.
void checkIterable(const TypedBuilder &e, const Val &v,
                   llvm::StringRef form = "'{0}' object is not iterable");

} // namespace shapecast
