// One planned nest as CUDA kernels, in func, scf, arith, math and nvvm; its body is emitted by the
// same code as on the host.
//
// Before: the nest's arrays live on one device, and its loops may run in any order (`any`).
// After: `module` has its kernels, in the order in which they are to be launched: gpu_elements.h
// for points, gpu_reductions.h for reductions. No result depends on the order in which threads or
// blocks run.
//
// Parameters, listed in `np.parameters`: pointers, sizes and strides, scalars, then `partials` and
// `results` (eight bytes a part, as in runtime/abi.h) where needed. `np.launch` has `threads` and
// `blocks` per axis x, y, as the host computes them from the sizes; a kernel of no block is not
// launched. Fewer blocks do, except along y of reductions.
#pragma once

#include "lower/gpu/kernel_builder.h"

namespace shapecast {

NestKernels emitKernels(mlir::ModuleOp module, llvm::StringRef name, const NestPlan &plan,
                        KernelNames names);
// One kernel for a group of np-group-rows, in whose plans nothing is collapsed. `asks`: 1 where the
// sizes ask for it, 0 where the nests' own kernels are better; it launches no block then.
NestKernels emitRowGroup(mlir::ModuleOp module, llvm::StringRef name,
                         llvm::ArrayRef<NestPlan> plans, KernelNames names, np::DimAttr &asks);

} // namespace shapecast
