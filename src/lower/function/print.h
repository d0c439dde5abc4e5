// Operations on Python objects: their values go to the run time as records on the stack
// (runtime::PrintItem).
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

void emitPrint(FunctionState &state, np::PrintOp op);
void emitRaise(FunctionState &state, np::RaiseOp op);
void emitCallOut(FunctionState &state, np::CallOp op); // a call of Python

} // namespace shapecast
