// Nests and loops whose iterations several threads share: runtime/threads.h.
#pragma once

#include "lower/kit/function_state.h"
#include "lower/nest/nest_plan.h"

namespace shapecast {

// `emit` emits iterations from .. to - 1 of `count`; `work` is the cost of all of them.
void shareLoop(FunctionState &state, mlir::Location loc, mlir::Value count, mlir::Value work,
               llvm::function_ref<void(mlir::Value from, mlir::Value to)> emit);
// Outlines iterations from .. to - 1 to a function of their own, which equal loops share. If there
// is only one, LLVM inlines it again.
void callIterations(FunctionState &state, mlir::Location loc, mlir::Value from, mlir::Value to,
                    llvm::function_ref<void(mlir::Value from, mlir::Value to)> emit);

// A nest's function takes the context and the bounds of the shared loop last.
inline constexpr unsigned ownParameters = 3;
// The function of a nest begins with: work >= ctx.minParallelWork ? return shared nest : continue.
// Added at the end, since equal nests are merged until then.
void shareAtEnd(FunctionState &state, const NestPlan &plan, mlir::func::FuncOp callee,
                llvm::ArrayRef<np::DimAttr> symbols);

} // namespace shapecast
