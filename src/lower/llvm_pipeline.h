// LLVM IR of one compiled function made fast by our own short pass list.
#pragma once

#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace shapecast {

// Runs the pass list; remarks (if wanted) are appended to `remarks`. False: LLVM rejected the list
// (`error`).
bool optimize(llvm::Module &module, llvm::TargetMachine &target, std::vector<std::string> *remarks,
              std::string &error);

// Of two zeros the larger and the smaller may be either, as NumPy's are: their order costs x86 as
// much as all the rest. Only after the passes: before them `nsz` also says that the signs of the
// operands' zeros are nobody's business, and `(x + 0).max()` loses its `+ 0`.
void leaveZerosUnordered(llvm::Module &module);

} // namespace shapecast
