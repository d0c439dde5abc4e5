// Operations on objects of Python's, which Python performs.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

std::optional<Val> visitPythonObject(Inference &in, mlir::Operation *op);
bool needPython(llvm::ArrayRef<Val> operands,
                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
Val callLibraryOrPython(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands,
                        llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);

} // namespace shapecast
