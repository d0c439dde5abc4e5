// One planned nest as CUDA kernels, in func, scf, arith, math and nvvm; its body is emitted by the
// same code as on the host.
//
// Before: the nest's arrays live on one device, and its loops may run in any order (`any`).
// After: `module` has one more function, or two, in the order in which they are to be launched:
// - without reductions: threads stride over the points, x along the innermost loop, y along the
// others;
// - reductions along long axes: a block per result, its threads stride over what is reduced;
// - reductions along short axes, or where the elements of neighbouring results are adjacent in
// memory: a thread per result;
// - full reductions: blocks as the second, each to a slot of `partials`; `<name>_total` combines
// those.
// No result depends on the order in which threads or blocks run.
//
// Parameters, listed in `np.parameters`: pointers, sizes and strides, scalars, then `partials` and
// `results` (eight bytes a part, as in runtime/abi.h) where needed. `np.launch` has `threads` and
// `blocks` per axis x, y; fewer blocks do, except of a kernel with `partials` slots.
#pragma once

#include "lower/nest/nest_plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace shapecast {

// What a nest's kernels are launched with: all have the same parameters, in this order.
struct NestKernels {
    llvm::SmallVector<mlir::func::FuncOp, 2> kernels; // in the order of launching
    llvm::SmallVector<np::DimAttr> symbols;           // after the plan's pointers
    llvm::SmallVector<mlir::Value> scalars;           // from outside of the nest
    np::DimAttr partials;                             // slots per part; null: no parameter
    int64_t parts = 0;                                // of what a block leaves there
    bool hasResults = false;
};

// The name of a pointer or scalar from outside in `np.parameters`.
using KernelNames = llvm::function_ref<std::string(mlir::Value)>;

NestKernels emitKernels(mlir::ModuleOp module, llvm::StringRef name, const NestPlan &plan,
                        KernelNames names);

} // namespace shapecast
