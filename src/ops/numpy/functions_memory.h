// Attributes of an array's memory.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// The attributes strides and flags of an array; none for other names.
std::optional<Val> memoryAttribute(TypedBuilder &e, const Val &base, llvm::StringRef name);
// `a.shape = shape`: the array with that shape; AttributeError where it would have to be copied.
Val reshapedInPlace(TypedBuilder &e, const Val &a, const Val &shape);

} // namespace shapecast
