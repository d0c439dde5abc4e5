// The calling convention of a compiled function: runtime/abi.h.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// Before anything else is emitted: values of the arguments.
void bindArguments(FunctionState &state);
void returnValues(FunctionState &state, np::ReturnOp op);
void emitKeepChanges(FunctionState &state, np::KeepChangesOp op);
// At the error exit: what was kept last goes to the caller.
void giveChanges(FunctionState &state);

} // namespace shapecast
