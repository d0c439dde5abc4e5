// Checks that IR is what its level promises. For debug builds, tests and
// `--np-verify=level=<name>`.
#pragma once

#include "ir/level.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Support/LLVM.h"

#include <memory>

namespace shapecast::np {

// Emits an error at each offending operation.
mlir::LogicalResult verifyLevel(mlir::Operation *module, Level level);

// The invariants of one operation by itself, from inference on: ranks of maps and views, dtypes,
// yielded values.
mlir::LogicalResult verifyOpFacts(mlir::Operation *op);

std::unique_ptr<mlir::Pass> createVerifyLevel(Level level);
void registerVerifyLevel(); // --np-verify=level=<name>

} // namespace shapecast::np
