// Long functions that only call others, in a module of their own.
//
// Before: an optimised module. What such a function does is call nests, once each or in loops that
// call too; its own instructions are little of the time of a call, and the time to find good
// registers for them grows faster than the function (25,000 instructions of a transformer that is
// written out: half of its first call). Loops over scalars anywhere in it forbid that.
// After: those functions are in the module that is returned, for code generation without effort
// (quickMachine), and declared in the other one. Names that were local to the module are visible
// to both, and to nobody else, since what is linked together has a library of its own (jit.cpp).
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace shapecast {

// Null where there are none. The context is the module's.
std::unique_ptr<llvm::Module> takeLongFunctions(llvm::Module &module);

// Like `machine`, for code that is generated as quickly as can be.
std::unique_ptr<llvm::TargetMachine> quickMachine(const llvm::TargetMachine &machine);

} // namespace shapecast
