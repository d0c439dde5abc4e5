// Relations between sizes that are checked at run time: np.require and np.all_hold.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

void emitRequire(FunctionState &state, np::RequireOp op);
mlir::Value emitAllHold(FunctionState &state, np::AllHoldOp op); // i1

} // namespace shapecast
