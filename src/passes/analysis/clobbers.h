// Legality of code motion and of store-to-load forwarding: clobber queries, as of a memory SSA. And
// the cost model of rematerialisation: whether computing an element again beats storing it.
//
// Assumes: the IR after np-infer; `from` precedes `to` in its own block or in one that encloses
// `to`. Promises: "not clobbered" is a proof; "clobbered" may be conservative. A loop between the
// two counts with its whole body.
#pragma once

#include "passes/analysis/points_to.h"

namespace shapecast {

// Operations strictly between the two, in the order of the blocks from `from` to `to`, that may
// write arrays (themselves or in their regions).
llvm::SmallVector<mlir::Operation *> writersBetween(mlir::Operation *from, mlir::Operation *to);
// May the operation, or one in its regions, clobber the handle's memory?
bool mayWrite(mlir::Operation *op, mlir::Value handle, const PointsTo &pointsTo);
bool isClobberedBetween(mlir::Value handle, mlir::Operation *from, mlir::Operation *to,
                        const PointsTo &pointsTo);

// Is `inner` in a loop that does not hold `outer`?
bool crossesLoop(mlir::Operation *outer, mlir::Operation *inner);
// No side effects, never raises: may be erased when dead, and moved within its block.
bool isPureOp(mlir::Operation *op);
// Makes an array, a view or a number without reading memory: may be hoisted to any earlier point
// that its operands dominate.
bool isHoistable(mlir::Operation &op);

// Flops of one element of np.ufunc or np.cast (0 for other operations), and up to how many
// rematerialising an element beats storing it.
int elementCost(mlir::Operation *op);
constexpr int maxRematerialisationCost = 4;

} // namespace shapecast
