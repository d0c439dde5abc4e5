// Operations on arrays on a device that only the host has code for.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// Emits the operation by `emit`. If operands are arrays on a device, it gets copies of them in host
// memory, and what it has written is copied back: right, but the host waits for the device.
void onHostCopies(FunctionState &state, mlir::Operation *op, llvm::function_ref<void()> emit);

} // namespace shapecast
