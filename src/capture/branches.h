// Branches and try: two arms whose ends are joined.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

using Arm = llvm::function_ref<void()>;

// The arms are emitted from the same state; afterwards the state is their join. `live`: the
// variables whose values the code after the branch may read.
void emitBranch(FunctionEmitter &f, mlir::Value condition, const Names &live, Arm then, Arm orelse);
// A branch with the body as one arm and an empty one as the other.
void emitTry(FunctionEmitter &f, const Statement &s, const Names &after);

} // namespace shapecast::capture
