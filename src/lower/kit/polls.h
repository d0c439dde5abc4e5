// Long loops poll: each counts its work as fuel and calls sc_poll when that is used up.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// Takes `amount` off the fuel (iterations until the next poll); polls when it is used up.
void charge(FunctionState &state, mlir::Location loc, mlir::Value amount);
void charge(FunctionState &state, mlir::Location loc, int64_t amount);
// The same in loops with short iterations: counts down from iterationsPerCharge, and charges at
// 0. Returns the next count.
inline constexpr int64_t iterationsPerCharge = 1024;
mlir::Value chargeCounted(FunctionState &state, mlir::Location loc, mlir::Value count);
void emitPoll(FunctionState &state, mlir::Location loc);
bool mayRunOften(FunctionState &state, mlir::Operation *op); // more than once per call

} // namespace shapecast
