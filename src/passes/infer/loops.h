// Loops as fixed points.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

void visitWhile(Inference &in, np::WhileOp op);
void countedLoop(Inference &in, np::ForEachOp op, np::DimAttr lower, np::DimAttr upper,
                 np::DimAttr step, llvm::function_ref<Val(const Val &counter)> element);

} // namespace shapecast
