// Masks of many lanes as vectors of integers, for processors without mask registers.
//
// Divergence masks (lower/function/outer_vector_code.h) are live across blocks as <16 x i1>, which
// AVX2 and SSE keep as bytes: each use packs comparisons of 64 bits into them, or unpacks them
// again.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace shapecast {

// After the passes, before code generation. A mask that goes through a phi is as wide as what it is
// the mask of then, all ones or all zeros in a lane, and so is all that is computed of such masks.
void widenMasks(llvm::Module &module, const llvm::TargetMachine &target);

} // namespace shapecast
