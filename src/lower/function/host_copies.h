// Operations on arrays on a device that only the host has code for.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// The arrays on a device that an operation, and what is in it, has from outside, in the form of
// sc_device_borrow().
struct DeviceOperands {
    DeviceOperands(FunctionState &state, mlir::Operation *op);

    llvm::SmallVector<mlir::Value> arrays;
    llvm::SmallVector<int64_t> starts; // per array: its first slot
    mlir::Value slots;                 // null: there are none
};

// Emits the operation by `emit`. If operands are arrays on a device, it gets copies of them in host
// memory, and what it has written is copied back: right, but the host waits for the device. `when`
// is for f.explain().
void onHostCopies(FunctionState &state, mlir::Operation *op, llvm::function_ref<void()> emit,
                  llvm::StringRef when = "by the host, on copies");

} // namespace shapecast
