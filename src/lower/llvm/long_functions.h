// Long functions that only call others, in a module of their own.
//
// Before: an optimised module. Such a function calls nests, once each or in loops that call too;
// its own instructions are little of the time of a call, and the time of register allocation grows
// faster than the function (25,000 instructions of a fully unrolled transformer: half of its first
// call). Functions with loops over scalars are left alone.
// After: those functions are in the module that is returned, for code generation without
// optimisation (quickMachine), and declared in the other one. Local symbols of the module are
// visible to both, and to nobody else, since both are linked into one JITDylib (jit.cpp).
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace shapecast {

// Null where there are none. The context is the module's.
std::unique_ptr<llvm::Module> extractLongFunctions(llvm::Module &module);

// Like `machine`, at CodeGenOptLevel::None.
std::unique_ptr<llvm::TargetMachine> quickMachine(const llvm::TargetMachine &machine);

} // namespace shapecast
