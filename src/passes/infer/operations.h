// Captured operations that are neither calls nor control flow.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

void visitConst(Inference &in, np::ConstOp op);
void visitCast(Inference &in, np::CastOp op);
void visitGetItem(Inference &in, np::GetItemOp op);
void visitTuple(Inference &in, np::TupleOp op);
void visitDict(Inference &in, np::TupleOp op);
void visitPyOp(Inference &in, np::PyOp op);
void visitSetItem(Inference &in, np::SetItemOp op);
void visitUnpack(Inference &in, np::UnpackOp op);
void visitCheckBound(Inference &in, np::CheckBoundOp op);
void visitRaise(Inference &in, np::RaiseOp op);
void visitPrint(Inference &in, np::PrintOp op);
llvm::SmallVector<Val> expandStarred(Inference &in, mlir::DenseI64ArrayAttr starred,
                                     mlir::ValueRange captured);

} // namespace shapecast
