// Strings in memory (runtime/text.h): data of the module.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

Handle emitText(FunctionState &state, np::TextOp op);
Handle emitTextAt(FunctionState &state, np::TextAtOp op);
// A comparison with a short constant, without slots; false: the operation is none.
bool emitTextCall(FunctionState &state, np::NativeOp op);

} // namespace shapecast
