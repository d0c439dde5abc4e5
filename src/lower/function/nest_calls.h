// Nests in a function: each is one of its own (noinline) or, if it is small, emitted in place.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

void emitNestCall(FunctionState &state, np::NestOp op);

} // namespace shapecast
