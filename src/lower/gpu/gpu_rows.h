// One kernel for nests that work on the same rows (passes/nests/group_rows.h): neighbouring threads
// of a block do a row, nest after nest, with a barrier between them.
//
// Before: the nests are a group of np-group-rows, and nothing is collapsed in their plans.
// After: one kernel. As many threads as the longest of the nests has elements of a row, up to a
// warp, or all of a block for more than 1,024, do a row; the others of the block do other rows.
#pragma once

#include "lower/gpu/kernel_builder.h"

namespace shapecast {

// 1 where the sizes ask for the kernel, else 0: few long rows are better done nest by nest.
np::DimAttr asksForRowKernel(llvm::ArrayRef<KernelWork> nests);
NestKernels emitRowKernel(mlir::ModuleOp module, llvm::StringRef name,
                          llvm::ArrayRef<KernelWork> nests);

} // namespace shapecast
