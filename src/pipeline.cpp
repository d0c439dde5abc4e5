// The stages as passes. See pipeline.def.
#include "pipeline.h"

#include "ir/np.h"
#include "ir/verify_level.h"
#include "lower/function/loops.h"
#include "lower/llvm/to_llvm.h"
#include "passes/frontend/inline.h"
#include "passes/frontend/specialise.h"
#include "passes/infer/deoptimisation.h"
#include "passes/infer/infer.h"
#include "passes/infer/snapshots.h"
#include "passes/loops/checks.h"
#include "passes/loops/counters.h"
#include "passes/loops/lifetime.h"
#include "passes/loops/outer_vectorisation.h"
#include "passes/loops/parallel.h"
#include "passes/loops/place_loops.h"
#include "passes/loops/profile.h"
#include "passes/loops/register_tiling.h"
#include "passes/loops/wavefront.h"
#include "passes/nests/device_scalars.h"
#include "passes/nests/fuse.h"
#include "passes/nests/fuse_into_scans.h"
#include "passes/nests/gather_checks.h"
#include "passes/nests/group_rows.h"
#include "passes/nests/nests.h"
#include "passes/nests/reuse.h"
#include "passes/nests/scatter_checks.h"
#include "passes/nests/schedule.h"
#include "passes/nests/strip_mine.h"
#include "passes/values/blocks.h"
#include "passes/values/forward_pieces.h"
#include "passes/values/fuse_masked_sums.h"
#include "passes/values/promote.h"
#include "passes/values/rematerialise_windows.h"
#include "passes/values/reshapes.h"
#include "passes/values/simplify.h"
#include "passes/values/wide_integers.h"
#include "support/progress.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace shapecast;

namespace {

// A row's function, on the module or on each function that has a body.
template <auto function> LogicalResult apply(ModuleOp module) {
    if constexpr (std::is_invocable_v<decltype(function), ModuleOp>) {
        return function(module);
    } else {
        for (auto func : llvm::make_early_inc_range(module.getOps<np::FuncOp>())) {
            if (func.isDeclaration())
                continue;
            if constexpr (std::is_void_v<decltype(function(func))>)
                function(func);
            else if (failed(function(func)))
                return failure();
        }
        return success();
    }
}

constexpr Stage stages[] = {
#define STAGE(name, function, before, after, side, sentence)                                       \
    {name, apply<function>, np::Level::before, np::Level::after, Side::side, sentence},
#include "pipeline.def"
};

// On each side, a stage takes the IR at the level at which the stage before it has left it.
constexpr bool levelsConnect(Side side) {
    np::Level level = np::Level::Captured;
    for (const Stage &stage : stages) {
        if (stage.side != Side::Both && stage.side != side)
            continue;
        if (stage.before != level)
            return false;
        level = stage.after;
    }
    return level == np::Level::LLVM;
}
static_assert(levelsConnect(Side::Host) && levelsConnect(Side::Device));

struct StagePass : PassWrapper<StagePass, OperationPass<ModuleOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StagePass)
    explicit StagePass(const Stage &stage) : stage(stage), argument("np-" + stage.name.str()) {}

    StringRef getArgument() const final { return argument; }
    StringRef getName() const final { return stage.name; }
    StringRef getDescription() const final { return stage.sentence; }
    void getDependentDialects(DialectRegistry &registry) const final {
        if (stage.after >= np::Level::Loops)
            registry
                .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                        LLVM::LLVMDialect, math::MathDialect, NVVM::NVVMDialect, scf::SCFDialect>();
    }
    void runOnOperation() final {
        if (failed(stage.run(getOperation())))
            signalPassFailure();
    }

    const Stage &stage;
    std::string argument;
};

bool isStageOf(Side side, StringRef name) {
    return llvm::any_of(stages, [&](const Stage &stage) {
        return stage.name == name && (stage.side == Side::Both || stage.side == side);
    });
}

// Ends a cancelled compilation between two stages.
struct CheckCancelled : PassWrapper<CheckCancelled, OperationPass<>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckCancelled)
    StringRef getArgument() const final { return "np-check-cancelled"; }
    StringRef getDescription() const final { return "fail if the compilation is cancelled"; }
    void runOnOperation() final {
        if (Progress::isCancelled())
            signalPassFailure();
        markAllAnalysesPreserved();
    }
};

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
    Option<std::string> after{*this, "after", llvm::cl::desc("the stage that has run already")};
    Option<std::string> upTo{*this, "up-to", llvm::cl::desc("the last stage to run")};
    Option<bool> device{*this, "device", llvm::cl::desc("the stages of devices")};
};

} // namespace

ArrayRef<Stage> shapecast::pipeline() { return stages; }

const Stage *shapecast::stageOf(const Pass &pass) {
    const bool isOne = pass.getTypeID() == TypeID::get<StagePass>();
    return isOne ? &static_cast<const StagePass &>(pass).stage : nullptr;
}

void shapecast::addStages(OpPassManager &pm, StringRef after, StringRef upTo, Side side) {
    bool isOn = after.empty();
    for (const Stage &stage : stages) {
        if (isOn && (stage.side == Side::Both || stage.side == side)) {
            pm.addPass(std::make_unique<StagePass>(stage));
            pm.addPass(std::make_unique<CheckCancelled>());
#ifndef NDEBUG
            // Ends the compilation after a stage that breaks its invariants, and names it.
            pm.addPass(np::createVerifyLevel(stage.after));
#endif
        }
        isOn |= stage.name == after;
        if (stage.name == upTo)
            return;
    }
}

void shapecast::registerPipeline() {
    for (const Stage &stage : stages)
        registerPass([&stage] { return std::make_unique<StagePass>(stage); });
    registerPassPipeline(
        "shapecast", "the pipeline, or the part of it after one stage and up to another",
        [](OpPassManager &pm, StringRef text, function_ref<LogicalResult(const Twine &)> fail) {
            PipelineOptions options;
            if (failed(options.parseFromString(text)))
                return failure();
            const Side side = options.device ? Side::Device : Side::Host;
            for (StringRef name : {StringRef(options.after), StringRef(options.upTo)})
                if (!name.empty() && !isStageOf(side, name))
                    return fail("no stage of this side is named '" + name +
                                "': see src/pipeline.def");
            addStages(pm, options.after, options.upTo, side);
            return success();
        },
        [](function_ref<void(const detail::PassOptions &)> show) { show(PipelineOptions()); });
}
