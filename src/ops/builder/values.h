// What a value is: its type for messages, its operand type, its shape.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// Its type for messages: "int", "float64", "float64[s0, 3]", "tuple".
std::string describe(const TypedBuilder &e, const Val &v);
// type(v).__name__, as Python's messages have it
std::string classNameOf(const TypedBuilder &e, const Val &v);
// The type of an operand in the errors of NumPy's object loops, which compute with Python objects.
std::string objectTypeName(const Val &v);
// TypeError when it is not an array or scalar
OperandType operandOf(TypedBuilder &e, const Val &v);
// array: its dims; scalar: none
Dims dimsOf(TypedBuilder &e, const Val &v);
// An Optional or Union narrowed (as type checkers do) by the facts about its discriminant.
Val narrowed(TypedBuilder &e, const Val &v);

// Python's TypeError where its function of that name does not take so many arguments, or these
// keywords.
void checkArity(TypedBuilder &e, llvm::StringRef function, size_t count,
                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// AttributeError where the class of v is known to have no such attribute.
void checkHasAttribute(TypedBuilder &e, const Val &v, llvm::StringRef name);
// Python's TypeError where it is not iterable; `form` has {0} for its class.
void checkIterable(const TypedBuilder &e, const Val &v,
                   llvm::StringRef form = "'{0}' object is not iterable");

// A number that must be a constant here: the parameters that it is computed from become static
// arguments (StaticArgumentRequest). Any other number is UnsupportedError.
[[noreturn]] void needConstant(const TypedBuilder &e, const Val &v, const llvm::Twine &message);
// The parameters of the entry that a number is computed from.
llvm::SmallVector<unsigned> sourceParameters(const Val &v);
DType defaultDtype(PyKind kind);                    // that np.asarray gives a Python number
bool isNaturalPair(mlir::Type strong, PyKind kind); // int and int64, float and float64 ...

} // namespace shapecast
