// Code for one planned nest: scf.for loops, element accesses, the scalar body, accumulators.
#pragma once

#include "lower/nest/nest_context.h"

namespace shapecast {

// Emits the loops at the builder's insertion point and returns the nest's results.
llvm::SmallVector<Scalar> emitNest(mlir::OpBuilder &builder, const NestPlan &plan, NestContext env);

} // namespace shapecast
