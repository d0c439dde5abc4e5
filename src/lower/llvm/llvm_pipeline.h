// Optimisation of a compiled function's LLVM IR, by a short pass list of our own.
#pragma once

#include "lower/llvm/loop_remark.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace shapecast {

// Runs the pass list; remarks (if wanted) are appended to `remarks`. False: LLVM rejected the list
// (`error`).
bool optimize(llvm::Module &module, llvm::TargetMachine &target, std::vector<LoopRemark> *remarks,
              std::string &error);

// The minimum and maximum of -0 and +0 may be either, as NumPy's are: ordering them costs x86 as
// much as all the rest. Only after the passes: before them `nsz` would also let LLVM ignore the
// signs of the operands' zeros, and `(x + 0).max()` would lose its `+ 0`.
void leaveZerosUnordered(llvm::Module &module);

} // namespace shapecast
