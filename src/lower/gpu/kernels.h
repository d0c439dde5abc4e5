// np-kernels: the nests of functions over device arrays become kernels.
//
// Before: functions after np-lifetime.
// After: only kernels (lower/gpu/gpu_kernel.h), named <function>_kernel<k> in the order of the
// nests, their shared memory, and the math functions that they call (lower/gpu/gpu_math.h). What
// the host would run is erased: nothing launches kernels yet. Not supported (UnsupportedError):
// what reads or writes elements of device arrays outside of nests (single elements, matrix
// products, print, run-time reshapes), and in nests functions that devices have no code for, and
// stores whose order matters.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace shapecast {

mlir::LogicalResult lowerToKernels(mlir::ModuleOp module);

} // namespace shapecast
