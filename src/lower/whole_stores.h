// Stores of `p = mask ? new : p` as stores of whole vectors.
//
// LLVM makes masked stores of them. No processor hands what a masked store wrote on to a load that
// soon follows, as the next step of a reduction's does, and AVX2's are slow by themselves.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace shapecast {

// After the passes, before code generation. What is stored to where it was loaded from, chosen lane
// by lane, goes through a fence that LLVM does not look through; it costs no instruction.
void storeWhole(llvm::Module &module);

} // namespace shapecast
