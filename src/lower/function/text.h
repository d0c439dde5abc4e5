// Constant strings in memory (runtime/text.h): data of the module.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

Handle emitText(FunctionState &state, np::TextOp op);

} // namespace shapecast
