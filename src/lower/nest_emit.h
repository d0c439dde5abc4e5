// Code for one planned nest: scf.for loops, element accesses, the scalar body, accumulators.
#pragma once

#include "lower/nest_plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace shapecast {

// What a nest's code needs from the place where it is emitted (its own function, or the entry
// function).
struct NestPlace {
    DimValues &dims;                              // the plan's symbols are bound
    llvm::ArrayRef<mlir::Value> pointers;         // per NestPlan::pointers
    llvm::DenseMap<mlir::Value, Scalar> &scalars; // the scalars from outside that the body uses
    mlir::Value context = {};                     // null: a small nest, which needs no polls
    mlir::func::FuncOp poll = {};                 // sc_poll
    mlir::Value from = {}, to = {};               // of NestPlan::shared: these iterations only
};

// Emits the loops at the builder's place and returns the nest's results.
llvm::SmallVector<Scalar> emitNest(mlir::OpBuilder &builder, const NestPlan &plan, NestPlace place);

// The constant that a value is, or is in another dtype: loops that see it need not divide by it.
np::ConstOp constantBehind(mlir::Value value);

// The nest's scalars from outside: to be passed in. Constants are not among them; they are emitted
// again.
llvm::SmallVector<mlir::Value> outsideScalars(np::NestOp op);
// Emits the constants that the body uses from outside.
void emitOutsideConstants(mlir::OpBuilder &builder, np::NestOp op, NestPlace place);

} // namespace shapecast
