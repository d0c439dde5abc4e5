// Divisions of 64-bit integers by constants, in products that vectors have.
//
// A quotient by a constant is the upper half of a product and a shift. Of 64 by 64 bits no vector
// has that product, so that a loop around a division stays scalar; of 32 by 32 bits, four of which
// make it up, all have.
#pragma once

#include "llvm/IR/PassManager.h"

namespace shapecast {

// Before the loops are made vectors. In innermost loops of nests no integer of 64 bits is divided
// by a constant but by powers of two; quotients are the same.
struct ExpandDivisions : llvm::PassInfoMixin<ExpandDivisions> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace shapecast
