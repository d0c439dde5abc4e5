// Calls of ufuncs' C loops: np.native with the attribute `loop`, the loop's name.
//
// Compiled code has a loop's address as an external symbol of that name (lower/llvm/jit.cpp binds
// it), so that the code contains no address of this process.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

void emitUfuncLoop(FunctionState &state, np::NativeOp op, llvm::StringRef name);

} // namespace shapecast
