// Thunks of Python objects: strings and exceptions that Python makes where they are needed.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// A thunk of a Python object: the function of this name is called where the object is needed,
// with snapshots of the arguments.
Val objectVal(TypedBuilder &e, llvm::StringRef kind, llvm::StringRef callee,
              llvm::ArrayRef<Val> arguments);

} // namespace shapecast
