// Calls of sc_<name>(ctx, slots), np.native: see runtime/native.h for the slots.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

void callNative(FunctionState &state, np::NativeOp op);
// The same by another function of the same results, with more arguments.
void callNative(FunctionState &state, np::NativeOp op, llvm::StringRef function,
                mlir::ValueRange more);
// Appends an array in the form of runtime/native.h; returns its number of elements.
np::DimAttr nativeArray(FunctionState &state, mlir::Location loc, mlir::Value operand,
                        Values &values);

} // namespace shapecast
