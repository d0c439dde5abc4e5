// Calls of recursive functions: np.call.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

void emitCall(FunctionState &state, np::CallOp op);

} // namespace shapecast
