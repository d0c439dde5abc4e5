// Values as operands: their types, what is known of them.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// An Optional or Union narrowed (as type checkers do) by the facts about its discriminant.
Val narrowed(TypedBuilder &e, const Val &v);

// A number that must be a constant here: the parameters that it is computed from become static
// arguments (StaticArgumentRequest). Any other number is UnsupportedError.
[[noreturn]] void needConstant(const TypedBuilder &e, const Val &v, const llvm::Twine &message);
// The parameters of the entry that a number is computed from.
llvm::SmallVector<unsigned> sourceParameters(const Val &v);

} // namespace shapecast
