// Checks that IR is what a stage of the pipeline promises. For debug builds, tests and
// `--np-verify=stage=<name>`.
#pragma once

#include "mlir/Pass/Pass.h"
#include "mlir/Support/LLVM.h"

#include <memory>
#include <string>

namespace shapecast::np {

// `stage` is the stage that has just run: capture, specialise, inline, infer, simplify, promote,
// nests, schedule, checks, lifetime, loops, kernels, llvm. Emits an error at each offending
// operation.
mlir::LogicalResult verifyStage(mlir::Operation *module, llvm::StringRef stage);

// What holds of one operation by itself, after infer: ranks of maps and views, dtypes, yielded
// values.
mlir::LogicalResult verifyOpFacts(mlir::Operation *op);

std::unique_ptr<mlir::Pass> createVerifyStage(std::string stage);
void registerVerifyStage(); // --np-verify=stage=<name>

} // namespace shapecast::np
