// a.flags
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val flagOf(TypedBuilder &e, const Val &a, llvm::StringRef name);       // a.flags.name
Val flagItem(TypedBuilder &e, const Val &a, llvm::ArrayRef<Val> keys); // a.flags['C']
Val isWriteable(TypedBuilder &e, const Val &a);

} // namespace shapecast
