// Functions as values: closures and their calls.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

void visitClosure(Inference &in, np::ClosureOp op);
Val apply(Inference &in, const Val &function, llvm::ArrayRef<Val> positional,
          llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named, mlir::Location location);

np::FuncOp calleeOf(Inference &in, const Val &function); // null: it is no closure
// Python's TypeError for so many positional arguments; none: it takes them, or that is not known.
std::optional<std::string> refusalOf(Inference &in, const Val &function, size_t count);

// f == g, f is g and their opposites.
Val compareFunctions(Inference &in, llvm::StringRef op, const Val &a, const Val &b);
// A method of a list, dict, set or string as a value, `push = stack.append`; none for others.
std::optional<Val> boundBuiltInMethod(Inference &in, const Val &self, llvm::StringRef name);
// f.__name__, f.__qualname__, and attributes that are constants; none for others, and other values.
std::optional<Val> attributeOfFunction(Inference &in, const Val &v, llvm::StringRef attribute);

} // namespace shapecast
