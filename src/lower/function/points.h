// Loops over the points of an index space, for the modes that check each access.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// The iterators of `space` are bound; `point` is a point's number.
void visitPoints(FunctionState &state, mlir::OpBuilder &builder, mlir::Location loc,
                 llvm::ArrayRef<np::DimAttr> space,
                 llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value size)> step,
                 llvm::function_ref<void(mlir::OpBuilder &, mlir::Value point)> visit);

} // namespace shapecast
