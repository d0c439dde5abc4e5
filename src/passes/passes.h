// One factory per pass, in the order of the pipeline (src/compile.cpp). What each promises stands
// in its own header.
#pragma once

#include "mlir/Pass/Pass.h"
#include <memory>

namespace shapecast {

// np-infer's error, never a user's: blocks in blocks need Progress::onLargeStack().
inline constexpr llvm::StringLiteral needsLargeStack = "shapecast.LargeStackError";
// np-infer's requirement for what is refused in a branch: the function is compiled without it. A
// kind of UnsupportedError (python/shapecast/_errors.py).
inline constexpr llvm::StringLiteral refusedInBranch = "shapecast.RefusedInBranch";

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
