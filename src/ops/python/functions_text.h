// Methods of strings.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// text.name(...)
bool isThunkMethod(llvm::StringRef name); // text.name(...) may be a thunk
Val textMethod(TypedBuilder &e, const Val &text, llvm::StringRef name,
               llvm::ArrayRef<Val> arguments,
               llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);

} // namespace shapecast
