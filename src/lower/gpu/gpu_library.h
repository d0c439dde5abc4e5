// Kernels in C++ (src/kernels): the bitcode that clang made of them, part of this library.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace shapecast {

// Links in the kernels that the module declares. Each has blocks of kernels::blockThreads threads.
void linkLibraryKernels(llvm::Module &kernels);

} // namespace shapecast
