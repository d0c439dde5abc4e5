// One factory per pass, in the order of the pipeline (src/compile.cpp). What each promises stands
// in its own header.
#pragma once

#include "mlir/Pass/Pass.h"
#include <memory>

namespace shapecast {

// np-infer's error, never a user's: blocks in blocks need Progress::onLargeStack().
inline constexpr llvm::StringLiteral needsLargeStack = "shapecast.LargeStackError";
// The note at the error of what is refused in a branch: the function is compiled without it.
inline constexpr llvm::StringLiteral refusedInBranch =
    "the other branches of the function are compiled; this one cannot be";

std::unique_ptr<mlir::Pass> createSpecialise();
std::unique_ptr<mlir::Pass> createInlineCalls();
std::unique_ptr<mlir::Pass> createInferTypes();
std::unique_ptr<mlir::Pass> createSimplify();
std::unique_ptr<mlir::Pass> createPromoteValues();
std::unique_ptr<mlir::Pass> createBlockLoops();
std::unique_ptr<mlir::Pass> createFormNests();
std::unique_ptr<mlir::Pass> createScheduleStores();
std::unique_ptr<mlir::Pass> createRunInStrips();
std::unique_ptr<mlir::Pass> createTakeIntoScans();
std::unique_ptr<mlir::Pass> createCheckInGathers();
std::unique_ptr<mlir::Pass> createChecks();
std::unique_ptr<mlir::Pass> createLifetime();
std::unique_ptr<mlir::Pass> createRunInWavefronts();
std::unique_ptr<mlir::Pass> createParallel();
std::unique_ptr<mlir::Pass> createLowerToLoops();
std::unique_ptr<mlir::Pass> createKernels(); // instead of createLowerToLoops, on devices
std::unique_ptr<mlir::Pass> createLowerToLLVM();

} // namespace shapecast
