// What surrounds a nest where it is emitted, and what its body takes from there.
#pragma once

#include "lower/nest/nest_plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace shapecast {

// What a nest's code needs from the function that it is emitted into (its own, or the entry
// function).
struct NestContext {
    DimValues &dims;                              // the plan's symbols are bound
    llvm::ArrayRef<mlir::Value> pointers;         // per NestPlan::pointers
    llvm::DenseMap<mlir::Value, Scalar> &scalars; // defined outside, used by the body
    mlir::Value context = {};                     // null: a small nest, which needs no polls
    mlir::func::FuncOp poll = {};                 // sc_poll
    mlir::Value from = {}, to = {};               // of NestPlan::shared: these iterations only
};

// The constant that a value is, or is a cast of: LLVM replaces divisions by a constant that it
// sees.
np::ConstOp underlyingConstant(mlir::Value value);

// The scalars from outside that the body uses: to be passed in. Constants are not among them; they
// are rematerialised.
llvm::SmallVector<mlir::Value> outsideScalars(np::NestOp op);
// Emits the constants that the body uses from outside.
void emitOutsideConstants(mlir::OpBuilder &builder, np::NestOp op, NestContext env);

} // namespace shapecast
