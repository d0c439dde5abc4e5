// The table of all stages (pipeline.def), and how to run a part of it.
#pragma once

#include "ir/level.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace shapecast {

enum class Side { Both, Host, Device }; // who needs a stage

struct Stage {
    llvm::StringLiteral name;
    mlir::LogicalResult (*run)(mlir::ModuleOp module);
    np::Level before, after;
    Side side;
    llvm::StringLiteral sentence; // what it does
};

llvm::ArrayRef<Stage> pipeline();

// The last stage that changes what a function is to its callers: the entry's result, its guards and
// the errors that it raises are read after it, and cached code is found by what it leaves.
inline constexpr llvm::StringLiteral lastTypedStage = "deoptimise";

// For the view of a variant in notebooks (python/shapecast/_nests.py): the stage after which nests
// are described, when they are fused, and the one after which each has a function of its own.
inline constexpr llvm::StringLiteral nestReportStage = "reuse", nestCodeStage = "loops";

// The stage that a pass runs; null: none, such as np-verify.
const Stage *stageOf(const mlir::Pass &pass);

// Adds the stages of one side that follow `after` (all when empty), up to and including `upTo` (to
// the end when empty). In debug builds np-verify follows each.
void addStages(mlir::OpPassManager &pm, llvm::StringRef after, llvm::StringRef upTo, Side side);

// For shapecast-opt: a pass `-np-<name>` per stage, and a pipeline
// `-shapecast='after=nests up-to=loops'`, which goes on from a file of SHAPECAST_DUMP.
void registerPipeline();

} // namespace shapecast
