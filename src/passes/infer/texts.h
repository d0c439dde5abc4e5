// Strings that are known only at run time: in memory, and thunks (ops/builder/text.h).
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// A string that is a thunk is in memory where it is not only printed, formatted, raised or
// returned.
void textsInMemory(Inference &in, mlir::Operation *op);
// A method that the library has; none where the result is better a thunk, or where it has none.
std::optional<Val> libraryTextMethod(Inference &in, const Val &text, llvm::StringRef name,
                                     llvm::ArrayRef<Val> operands,
                                     llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// int(text), int(text, base), float(text); none for other functions and operands.
std::optional<Val> numberOfText(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands,
                                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);

} // namespace shapecast
