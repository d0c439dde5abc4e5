// Stores to arrays, with NumPy's checks of dtypes, shapes and flags.
#pragma once

#include "ops/builder/typed_builder.h"
#include "ops/ufunc/ufunc.h"

namespace shapecast {

// target[...] = value
void assign(TypedBuilder &e, const Val &target, const Val &value);
// The number to store to one element, of a number or what int(), float() ... make of something
// else; none where they raise.
std::optional<Val> elementOf(TypedBuilder &e, const Val &value, DType dtype);
// The number to store to an element or slice: a float goes through int() if the dtype is an
// integer; a NumPy integer, like a Python one, must fit in a signed dtype.
Val storedNumber(TypedBuilder &e, const Val &number, DType dtype);
// The array with a writeable type, checked at run time if need be; none, after a
// ValueError(message), where it is never writeable.
std::optional<Val> writeableOf(TypedBuilder &e, const Val &target, llvm::StringRef message);
// int(1j), float(1j) are TypeErrors
void checkComplexStore(TypedBuilder &e, const Val &value, DType dtype);
// Whether storing either side of a maybe-weak scalar stores the same value.
bool storeIsSame(TypedBuilder &e, const Val &v, DType dtype);

// out= of the ufunc of that name: casts and stores the result; returns `out`.
Val storeOut(TypedBuilder &e, llvm::StringRef name, const Val &out, const Val &result,
             Casting casting = Casting::SameKind);
void checkOutput(TypedBuilder &e, llvm::StringRef name, DType from, const Val &out,
                 Casting casting);
[[noreturn]] void failOutput(TypedBuilder &e, llvm::StringRef name, llvm::StringRef from, DType to,
                             Casting casting);
// target[...] = result, as the ufunc of that name stores it.
void storeResult(TypedBuilder &e, llvm::StringRef name, const Val &target, const Val &result,
                 Casting casting);

} // namespace shapecast
