// Which results of integer operators are only operands of others, so that they may have more bits
// than a result that the program keeps.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// Whether the operator's result is an operand of such operators only, at last of one that keeps a
// part of a product: see np-wide-integers.
bool isIntermediate(mlir::Operation *op);

// Whether it is one below `& mask` or `% 2**k` where that number is beyond 64 bits: `(x << 13)` in
// `(x << 13) & 0xffffffffffffffff`. It is then computed in 128 bits.
bool isBelowWideMask(Inference &in, mlir::Operation *op);

} // namespace shapecast
