// Kernels of reductions. A result's elements are shared by neighbouring threads of a block and,
// where there are few results of many elements, by several blocks; what they have is combined in an
// order that the sizes alone decide, so that results are the same on every run and device.
//
// Before: some of the nest's yields are reduced.
// After:
// - rows (the elements of a result are adjacent, or anywhere): 1, 2, 4 ... 32 threads a result, as
//   many as it has elements, or all of a block for more than 1,024;
// - columns (NestForm::Rows: the elements of neighbouring results are adjacent): threads along x
// are
//   neighbouring results, those along y share a result.
// Several blocks a result leave what they have in `partials`, and a second kernel combines it:
// `<name>_total`, of which no block is launched where the sizes ask for one block a result.
#pragma once

#include "lower/gpu/kernel_builder.h"

namespace shapecast {

// Returns how many slots per part the partial results have; null: there are none.
np::DimAttr emitReductionKernels(mlir::ModuleOp module, llvm::StringRef name, KernelWork work,
                                 int64_t &parts,
                                 llvm::SmallVectorImpl<mlir::func::FuncOp> &kernels);

} // namespace shapecast
