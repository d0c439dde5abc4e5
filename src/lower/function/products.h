// Calls of the product library: np.gemm.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

void emitProduct(FunctionState &state, np::GemmOp op);

} // namespace shapecast
