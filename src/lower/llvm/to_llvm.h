// np-llvm: func, cf, scf, arith and math become the LLVM dialect.
//
// Before: what np-loops leaves; no memrefs, no index values.
// After: only the LLVM dialect. Private functions have internal linkage; noinline and the
// parameters' llvm.noalias stay.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace shapecast {

mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module);

} // namespace shapecast
