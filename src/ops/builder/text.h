// Strings. Operations on compile-time constants are folded here; other strings are thunks that
// Python evaluates where they are printed, raised or returned, with snapshots of the arguments.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// A thunk of a Python object: the function of this name is called where the object is needed,
// with snapshots of the arguments.
Val objectVal(TypedBuilder &e, llvm::StringRef kind, llvm::StringRef callee,
              llvm::ArrayRef<Val> arguments);
// The characters of a compile-time string.
std::optional<std::vector<Val>> charactersOf(TypedBuilder &e, const Val &text);
// Operators; none where no operand is a string.
std::optional<Val> textBinary(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &b);
std::optional<Val> textCompare(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &b);

} // namespace shapecast
