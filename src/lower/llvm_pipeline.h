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

} // namespace shapecast
