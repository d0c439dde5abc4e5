// Deferred errors: an unsupported construct in a branch raises when control reaches it.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// Emits; an unsupported construct is rolled back and replaced by a call that raises, whose (unused)
// value is returned. The guards stay: with other objects under these names it may be supported.
mlir::Value orRefusal(FunctionEmitter &f, llvm::function_ref<void()> emit);
// Raises the error where control reaches it.
mlir::Value emitRefusal(FunctionEmitter &f, const UserError &error);

} // namespace shapecast::capture
