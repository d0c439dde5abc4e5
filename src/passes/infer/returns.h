// What a function returns: the attribute `result` describes the tree.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

Val returned(Inference &in, np::ReturnOp op);
void emitReturn(Inference &in, np::ReturnOp op);
Val boundValue(Inference &in, const Val &v);
mlir::Attribute resultTree(Inference &in, const Val &v, llvm::SmallVectorImpl<mlir::Value> &leaves);
// Whether the `target` of a cell is one of the caller's objects; others say why it is immutable.
bool isCallers(mlir::Attribute target);
// The changes to the caller's lists, dicts and objects; null: none.
mlir::ArrayAttr changedContents(Inference &in, llvm::SmallVectorImpl<mlir::Value> &leaves);
void packResult(Inference &in, const Val &given, llvm::SmallVectorImpl<mlir::Value> &leaves);

} // namespace shapecast
