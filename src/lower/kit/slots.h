// Slots of 8 bytes: of the context, of arguments and results, and of this function's frame.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

mlir::Value slotAddress(FunctionState &state, mlir::Location loc, mlir::Value base, int64_t index);
mlir::Value loadSlot(FunctionState &state, mlir::Location loc, mlir::Value base, int64_t index,
                     mlir::Type type);
void storeSlot(FunctionState &state, mlir::Location loc, mlir::Value base, int64_t index,
               mlir::Value value);
Values loadSlots(FunctionState &state, mlir::Location loc, mlir::Value base, int64_t first,
                 mlir::TypeRange types);

// New slots in the frame, once per call of the function.
mlir::Value stackSlots(FunctionState &state, mlir::Location loc, int64_t count);
// New ones with these values; at least one.
mlir::Value storedSlots(FunctionState &state, mlir::Location loc, mlir::ValueRange values);
// The address of a constant text.
mlir::Value textAddress(FunctionState &state, mlir::Location loc, llvm::StringRef text);

} // namespace shapecast
