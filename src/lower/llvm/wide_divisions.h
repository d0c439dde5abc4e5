// Divisions of 64-bit integers by constants, expanded to products that have a vector form.
//
// A quotient by a constant is the upper half of a product, and a shift. No vector ISA has that
// product of 64 by 64 bits, so that a loop around a division stays scalar; all have that of 32 by
// 32 bits, four of which make it up.
#pragma once

#include "llvm/IR/PassManager.h"

namespace shapecast {

// Before loop vectorisation. In innermost loops of nests, expands divisions of 64-bit integers by
// constants that are no powers of two; quotients are the same.
struct ExpandDivisions : llvm::PassInfoMixin<ExpandDivisions> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace shapecast
