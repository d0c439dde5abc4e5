// Bodies of C's math functions for kernels: on a device there is no library to call.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace shapecast {

// Whether a function of this name has a body here: exp and log, for float64 and (expf) float32.
bool hasDeviceMath(llvm::StringRef name);
// Gives every declaration of such a function in the module its body. Within 1 ULP, special values
// as C's; tests/gpu compares them with mpmath.
void defineDeviceMath(mlir::ModuleOp module);

} // namespace shapecast
