// Loops: loop-carried variables are those that the body assigns and that are live; break and return
// become flags.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// Returns whether the rest of the block has been emitted.
bool emitLoop(FunctionEmitter &f, const Statement &s, llvm::ArrayRef<Statement *> rest,
              const Names &after, const Names &out);
// The statement that marks where the rest of a block continues in an arm of the branch.
Statement *synthesiseContinuation(FunctionEmitter &f, const Statement &branch);

} // namespace shapecast::capture
