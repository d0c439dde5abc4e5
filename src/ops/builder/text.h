// Strings. Operations on compile-time constants are folded here; other strings are thunks that
// Python evaluates where they are printed, raised or returned, with snapshots of the arguments.
#pragma once

#include "ops/builder/thunks.h"

namespace shapecast {

// The characters of a compile-time string.
std::optional<std::vector<Val>> charactersOf(TypedBuilder &e, const Val &text);
// Operators; none where no operand is a string.
std::optional<Val> textBinary(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &b);
std::optional<Val> textCompare(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &b);

} // namespace shapecast
