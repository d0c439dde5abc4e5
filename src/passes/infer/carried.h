// What branches and loops carry beside their variables: sizes, and lists and dicts that change.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// The contents of a list or dict, with the current contents of those in it.
Val contentsOf(TypedBuilder &e, unsigned cell);
// Those before the block whose contents it changed.
llvm::SmallVector<unsigned> changedCells(llvm::ArrayRef<Cell> before, llvm::ArrayRef<Cell> after);
// Whether the size has a symbol of the inner block.
bool holdsInnerSymbol(const TypedBuilder &e, np::DimAttr dim, unsigned firstInnerSymbol);
// UnsupportedError where an item of a dynamic list has a size that is a symbol of the inner block.
void checkItemSizes(TypedBuilder &e, const Slot &slot, unsigned firstInnerSymbol);
// Sizes that are symbols of the inner block are carried as operands.
void carryInnerSizes(Inference &in, Slot &slot, unsigned firstInnerSymbol);
// Lists and dicts that were allocated in the inner block get cells outside, from `outer` on.
void adoptCells(Inference &in, Slot &slot, size_t outer,
                llvm::DenseMap<unsigned, unsigned> &adopted);
llvm::SmallVector<mlir::Value> packAll(Inference &in, llvm::ArrayRef<Slot> slots,
                                       llvm::ArrayRef<Val> values);

} // namespace shapecast
