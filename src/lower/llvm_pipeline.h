// LLVM IR of one compiled function made fast: vector math bindings and our own short pass list.
#pragma once

#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace shapecast {

// Makes calls of libm functions and intrinsics vectorisable through glibc's libmvec, as far as the
// target has the instructions; `module` gets declarations of the vector functions that it may then
// call.
void bindVectorMath(llvm::Module &module, const llvm::TargetMachine &target);

// Runs the pass list; remarks (if wanted) are appended to `remarks`. False: LLVM rejected the list
// (`error`).
bool optimize(llvm::Module &module, llvm::TargetMachine &target, std::vector<std::string> *remarks,
              std::string &error);

} // namespace shapecast
