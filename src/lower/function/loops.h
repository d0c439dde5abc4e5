// np-loops: typed functions with nests become machine-like code (func, cf, scf, arith, math, llvm).
//
// Before: functions after np-lifetime; no tensors, no np.require inside nests, symbols bound before
// use. After: every np.func is a public func.func of runtime/abi.h's signature; every nest of more
// than a few iterations is a private function of its own (noinline; llvm.noalias on the pointers
// whose group nothing else shares); the module attribute `np.sites` lists what can be raised:
// {error, message, at = location}. No np operation is left.
// Nests over arrays on a device are kernels, in the module `kernels` (lower/gpu/gpu_kernel.h), and
// the host launches them. Other operations on such arrays are done by the host on copies
// (host_copies.h).
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace shapecast {

mlir::LogicalResult lowerToLoops(mlir::ModuleOp module);

} // namespace shapecast
