// Python integers that only count: sums of small constants, too slow to reach 64 bits.
#pragma once

namespace mlir {
class Operation;
}

namespace shapecast {

// Assumes typed, structured code. Marks `count + 1` nowrap where count starts as a constant
// and is never changed by more than a small constant at a time: to overflow it would have to
// be added to for years. Overflow checks are exits, and loops with exits do not vectorise.
void markCounters(mlir::Operation *root);

} // namespace shapecast
