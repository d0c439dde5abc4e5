// Calls of ufuncs' own loops, of NumPy's and of other packages.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// None where it is not a ufunc, or has no C loop for these operands
std::optional<Val> callUfuncLoop(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands,
                                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
Val callLoopPrimitive(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands);
void listsToArrays(Inference &in, llvm::MutableArrayRef<Val> operands);

} // namespace shapecast
