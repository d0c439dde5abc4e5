// Errors: conditional exits of a function, and the table of what can be raised where.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// Raises when `condition` holds; code goes on in a new block. The message's {0}, {1} are those
// of `payload`, its {0:f} is `messageArgument`, an f64.
void raiseWhen(FunctionState &state, mlir::Value condition, mlir::Location loc,
               llvm::StringRef error, llvm::StringRef message, llvm::ArrayRef<np::DimAttr> payload,
               mlir::ArrayAttr notes = {}, mlir::Value messageArgument = {});
// The callee has recorded the error.
void failWhen(FunctionState &state, mlir::Value condition, mlir::Location loc);
// The same of a status (i32): not 0.
void failUnlessZero(FunctionState &state, mlir::Value status, mlir::Location loc);
// The number of a new row of the table `np.sites`.
int64_t addSite(FunctionState &state, mlir::Location loc, llvm::StringRef error,
                llvm::StringRef message, mlir::ArrayAttr notes = {});

// The last thing that is emitted: the error exit. Rare blocks come last.
void finishFunction(FunctionState &state);

} // namespace shapecast
