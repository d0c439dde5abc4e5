// Calls by name, and methods.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

void visitCall(Inference &in, np::CallOp op);
void visitUfunc(Inference &in, np::UfuncOp op);
void visitMethod(Inference &in, np::MethodOp op);
void visitApply(Inference &in, np::ApplyOp op);

} // namespace shapecast
