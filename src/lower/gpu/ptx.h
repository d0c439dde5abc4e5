// PTX text from a module of kernels.
#pragma once

#include "device/module.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace shapecast {

// `kernels` holds only LLVM-dialect functions with NVVM operations (np-loops, then np-llvm); it
// gets the target's data layout. `target` is an architecture such as "sm_80", whose first PTX
// version is used, so that every driver that knows the device loads the text. Comments at the head
// of the text have each kernel's parameters and launch. None on failure, with the reason in
// `error`.
std::optional<std::string> emitPtx(mlir::ModuleOp kernels, llvm::StringRef target,
                                   std::string &error);
// What is needed to launch them, in the order in which they are numbered.
std::vector<device::KernelSource> kernelSources(mlir::ModuleOp kernels);

} // namespace shapecast
