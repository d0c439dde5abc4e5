// Attributes of arrays, numbers and classes.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val attribute(TypedBuilder &e, const Val &base, llvm::StringRef name); // base.name

} // namespace shapecast
