// What branches and loops carry beside their variables: sizes, and lists and dicts that change.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

Val contentsOf(TypedBuilder &e, unsigned cell);
llvm::SmallVector<unsigned> changedCells(llvm::ArrayRef<Cell> before, llvm::ArrayRef<Cell> after);
void checkItemSizes(TypedBuilder &e, const Slot &slot, unsigned firstInnerSymbol);
void carryInnerSizes(Inference &in, Slot &slot, unsigned firstInnerSymbol);
void adoptCells(Inference &in, Slot &slot, size_t outer,
                llvm::DenseMap<unsigned, unsigned> &adopted);
llvm::SmallVector<mlir::Value> packAll(Inference &in, llvm::ArrayRef<Slot> slots,
                                       llvm::ArrayRef<Val> values);

} // namespace shapecast
