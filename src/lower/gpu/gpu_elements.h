// Kernels in which a thread computes points of the nest, or reduces a few elements to one.
//
// Before: what is reduced, if anything is, is short: every thread reduces alone.
// After: one kernel, or two of which the sizes decide at run time:
// - one loop: a block has 256 threads and adjacent points, up to eight a thread;
// - several loops: a block has a tile. Its threads are along the innermost loop, up to 64 of them,
//   and along all others, flattened; each has up to eight rows. A tile's rows are adjacent, so that
//   what a stencil reads repeatedly is in the first-level cache;
// - reads that are adjacent along another loop than the innermost one (x.T): tiles of 32 x 32
//   elements go through shared memory, loaded along their adjacent axis. The plain kernel does it
//   where one of the two loops is short.
#pragma once

#include "lower/gpu/kernel_builder.h"

namespace shapecast {

void emitElementKernels(mlir::ModuleOp module, llvm::StringRef name, KernelWork work,
                        llvm::SmallVectorImpl<mlir::func::FuncOp> &kernels);

} // namespace shapecast
