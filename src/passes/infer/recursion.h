// Calls of functions that call themselves, and of bodies of `try`.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// With `attempt`, the names of exception classes, the call catches these: `caught` gets
// np.call's last three results.
Val recursiveCall(Inference &in, np::FuncOp callee, llvm::ArrayRef<Val> given,
                  mlir::Location location, std::optional<std::string> attempt = std::nullopt,
                  llvm::SmallVector<Val, 3> *caught = nullptr);
llvm::SmallVector<Val> globals(Inference &in);
// Before the body of a function is inferred: where it finds the dicts of constants.
void bindHeapConstants(Inference &in);
// The k-th of Recursions::heapParameters.
Val containerParameter(Inference &in, size_t k, const Val &handle);

} // namespace shapecast
