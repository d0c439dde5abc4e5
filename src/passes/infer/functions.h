// Functions as values: closures and their calls.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

void visitClosure(Inference &in, np::ClosureOp op);
Val apply(Inference &in, const Val &function, llvm::ArrayRef<Val> positional,
          llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named, mlir::Location location);

// f.__name__ and f.__qualname__; none for other attributes and values.
std::optional<Val> nameOfFunction(Inference &in, const Val &v, llvm::StringRef attribute);

} // namespace shapecast
