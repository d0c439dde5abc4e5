// Operations on arrays on a device by kernels in C++ (src/kernels), which the run time launches.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// The kernels' numbers, as a table for the run time. Each is declared in the module `kernels` at
// its first use, and so becomes part of the text.
mlir::Value libraryKernels(FunctionState &state, mlir::Location loc,
                           llvm::ArrayRef<std::string> names);

// False: the operation is not one for which there are kernels, and nothing has been emitted.
bool emitDeviceProduct(FunctionState &state, np::GemmOp op);
bool emitDeviceNative(FunctionState &state, np::NativeOp op);

} // namespace shapecast
