// The one legality question of all passes that move or forward a read: is the memory written on the
// way? And the one price: does computing an element again beat storing it?
//
// Assumes: the IR after np-infer; `from` comes before `to` in its own block or in one that encloses
// `to`. Promises: "not written" is sure; "written" may be too careful. A loop between the two
// counts with its whole body.
#pragma once

#include "passes/points_to.h"

namespace shapecast {

// Operations strictly between the two, in the order of the blocks from `from` to `to`, that may
// write arrays (themselves or in their regions).
llvm::SmallVector<mlir::Operation *> writersBetween(mlir::Operation *from, mlir::Operation *to);
// May the operation, or one in its regions, write memory of the handle?
bool mayWrite(mlir::Operation *op, mlir::Value handle, const PointsTo &pointsTo);
bool writtenBetween(mlir::Value handle, mlir::Operation *from, mlir::Operation *to,
                    const PointsTo &pointsTo);

// Is `inner` in a loop that does not hold `outer`?
bool crossesLoop(mlir::Operation *outer, mlir::Operation *inner);
// May be removed when unused, and moved within its block: no effect, never raises.
bool isPureOp(mlir::Operation *op);
// Makes an array, a view or a number without looking at memory: may stand anywhere earlier where
// its operands are known.
bool mayStandBefore(mlir::Operation &op);

// Flops of one element of np.ufunc or np.cast (0 for other operations), and up to how many
// computing an element again beats storing it.
int elementCost(mlir::Operation *op);
constexpr int cheapCost = 4;

} // namespace shapecast
