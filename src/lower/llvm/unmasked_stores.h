// Stores of `p = mask ? new : p` as unmasked stores of vectors.
//
// LLVM makes masked stores of them. No processor forwards a masked store to a load that soon
// follows, such as that of a reduction's next iteration, and AVX2's are slow by themselves.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace shapecast {

// After the passes, before code generation. A select that is stored to the address that an operand
// of it was loaded from goes through an arithmetic fence, which is opaque to LLVM and costs no
// instruction.
void avoidMaskedStores(llvm::Module &module);

} // namespace shapecast
