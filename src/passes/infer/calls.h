// Calls by name, and methods.
#pragma once

#include "ops/builder/function.h"
#include "passes/infer/inference.h"

namespace shapecast {

// By a function of the tables.
Val callOperation(Inference &in, const Function &function, llvm::ArrayRef<Val> operands,
                  llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
void visitCall(Inference &in, np::CallOp op);
void visitUfunc(Inference &in, np::UfuncOp op);
void visitMethod(Inference &in, np::MethodOp op);
void visitApply(Inference &in, np::ApplyOp op);

} // namespace shapecast
