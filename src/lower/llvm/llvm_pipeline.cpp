// The pass list for LLVM IR.
#include "lower/llvm/llvm_pipeline.h"

#include "lower/llvm/pass_analyses.h"
#include "lower/llvm/prefetch.h"
#include "lower/llvm/unmasked_stores.h"
#include "lower/llvm/vector_math.h"
#include "lower/llvm/wide_divisions.h"
#include "lower/llvm/wide_masks.h"
#include "support/progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopLoadElimination.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"

#include <algorithm>
#include <cstdlib>

using namespace llvm;

namespace shapecast {
namespace {

struct RemarkCollector final : DiagnosticHandler {
    std::vector<LoopRemark> *remarks;
    explicit RemarkCollector(std::vector<LoopRemark> *remarks) : remarks(remarks) {}
    bool isPassedOptRemarkEnabled(StringRef) const override { return remarks; }
    bool isMissedOptRemarkEnabled(StringRef) const override { return remarks; }
    bool isAnalysisRemarkEnabled(StringRef) const override { return remarks; }
    bool isAnyRemarkEnabled() const override { return remarks; }
    bool handleDiagnostics(const DiagnosticInfo &info) override {
        auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info);
        if (remark && remarks && isAboutLoops(*remark))
            remarks->push_back(loopRemark(*remark));
        return true; // nothing is printed
    }
    static LoopRemark loopRemark(const DiagnosticInfoOptimizationBase &remark) {
        LoopRemark found{remark.getFunction().getName().str(), remark.getMsg()};
        found.isPartlyVectorised = remark.getPassName() == "slp-vectorizer";
        for (const auto &argument : remark.getArgs())
            if (argument.Key == "VectorizationFactor")
                StringRef(argument.Val).getAsInteger(10, found.vectorWidth);
        return found;
    }
    // No remarks on single instructions, and no bare "loop not vectorized" beside the remark that
    // says why.
    static bool isAboutLoops(const DiagnosticInfoOptimizationBase &remark) {
        if (remark.getPassName() == "slp-vectorizer")
            return isa<OptimizationRemark>(remark);
        return remark.getPassName() == "loop-vectorize" && remark.getMsg() != "loop not vectorized";
    }
};

// An option of LLVM's for the whole process; compilations are serialised (jit.cpp).
template <typename T> cl::opt<T> *optionOfLlvm(StringRef name, StringRef value) {
    auto &known = cl::getRegisteredOptions();
    const auto option = known.find(name);
    if (option == known.end() || option->second->addOccurrence(0, name, value))
        return nullptr;
    return static_cast<cl::opt<T> *>(option->second);
}

// The limit of a loop's interleave count.
cl::opt<unsigned> *interleaveLimit() {
    static auto *found = optionOfLlvm<unsigned>("force-target-max-vector-interleave", "2");
    return found;
}

// No loop versioning for unit strides: a stride of 1 is known at compile time, and the version for
// all others would stay scalar (columns of a matrix: 3.7 -> 0.8 ms).
void disableStrideVersioning() {
    static auto *found = optionOfLlvm<bool>("enable-mem-access-versioning", "false");
    (void)found;
}

// No scheduling after register allocation: out-of-order processors do without (loops are as fast;
// it takes a twentieth of the code generation time).
void disablePostRaScheduling() {
    static auto *found = optionOfLlvm<bool>("disable-post-ra", "true");
    (void)found;
}

// Innermost loops are aligned to 2^5 bytes: a short one then is in one cache line, whatever code
// precedes it (cholesky 480 or 415 us, by luck).
void alignInnermostLoops() {
    static auto *found =
        optionOfLlvm<unsigned>("x86-experimental-pref-innermost-loop-alignment", "5");
    (void)found;
}

// An interleave count of two where there is no loop-carried dependence: LLVM's four is no faster
// (measured) and twice the code to generate. Reductions and long chains of operations need four:
// they are bound by latency.
struct LimitInterleaving : PassInfoMixin<LimitInterleaving> {
    unsigned targetLimit;

    static bool isLatencyBound(const Loop *loop) {
        if (!loop->isInnermost())
            return false;
        unsigned accesses = 0, operations = 0;
        for (const BasicBlock *block : loop->blocks())
            for (const Instruction &instruction : *block) {
                accesses += isa<LoadInst, StoreInst>(instruction);
                operations += instruction.getType()->isFloatingPointTy() &&
                              (instruction.isBinaryOp() || isa<CallInst>(instruction));
            }
        return !hasSingleElement(loop->getHeader()->phis()) || operations > 3 * accesses;
    }
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        const auto loops = analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
        if (cl::opt<unsigned> *limit = interleaveLimit())
            *limit = any_of(loops, isLatencyBound) ? targetLimit : std::min(targetLimit, 2u);
        return PreservedAnalyses::all();
    }
};

bool isNest(const Function &function) { return function.hasFnAttribute(Attribute::NoInline); }

// Store-to-load forwarding between iterations, in loops of the program. Nests have none
// (np-schedule).
struct ForwardStores : PassInfoMixin<ForwardStores> {
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        if (isNest(function))
            return PreservedAnalyses::all();
        return LoopLoadEliminationPass().run(function, analyses);
    }
};

// Induction variable simplification, in loops of the program. A nest's loops count from 0 to a size
// by 1, and its checks precede it (bench/ is as fast without).
struct SimplifyIndices : PassInfoMixin<SimplifyIndices> {
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        if (isNest(function))
            return PreservedAnalyses::all();
        return createFunctionToLoopPassAdaptor(IndVarSimplifyPass()).run(function, analyses);
    }
};

// SLP vectorisation, where a block has several scalar stores or float operations.
struct VectoriseBlocks : PassInfoMixin<VectoriseBlocks> {
    static bool hasSeveralScalars(const BasicBlock &block) {
        constexpr unsigned minScalars = 4;
        unsigned found = 0;
        for (const Instruction &instruction : block)
            found +=
                (isa<StoreInst>(instruction) && !isa<VectorType>(storedType(instruction))) ||
                (isa<BinaryOperator>(instruction) && instruction.getType()->isFloatingPointTy());
        return found >= minScalars;
    }
    static Type *storedType(const Instruction &store) { return store.getOperand(0)->getType(); }
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        if (none_of(function, hasSeveralScalars))
            return PreservedAnalyses::all();
        return SLPVectorizerPass().run(function, analyses);
    }
};

void addOwnPasses(PassBuilder &builder, const TargetMachine &target) {
    // Not with the 16 registers of SSE.
    const bool hasManyRegisters = target.getTargetTriple().isAArch64() ||
                                  is_contained(split(target.getTargetFeatureString(), ','), "+avx");
    builder.registerPipelineParsingCallback(
        [=](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
            if (name == "limit-interleaving")
                passes.addPass(LimitInterleaving{{}, hasManyRegisters ? 4u : 2u});
            else if (name == "simplify-indices")
                passes.addPass(SimplifyIndices());
            else if (name == "forward-stores")
                passes.addPass(ForwardStores());
            else if (name == "vectorise-blocks")
                passes.addPass(VectoriseBlocks());
            else if (name == "expand-divisions")
                passes.addPass(ExpandDivisions());
            else if (name == "prefetch-streams")
                passes.addPass(PrefetchStreams());
            else
                return false;
            return true;
        });
}

// Loop strength reduction, in loops of the program. In nests, x86's addressing of invariant bases
// by an index is as good (bench/: as fast on the whole, stencils by a tenth faster), and the pass
// takes a sixth of the time of a first call. So the code generation pipeline, which would run it in
// every function, is built without it (code_emitter.cpp).
void reduceStrength(Module &module, FunctionAnalysisManager &analyses) {
    for (Function &function : module)
        if (!function.isDeclaration() && !isNest(function))
            createFunctionToLoopPassAdaptor(LoopStrengthReducePass()).run(function, analyses);
}

// A third of the default pipeline's time for the same loops (measured): the IR is simple, with one
// function per nest, so that most of the default passes find nothing to do.
constexpr const char *passList =
    "always-inline,cgscc(inline),"
    "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,jump-threading,"
    "instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate,licm),simplify-indices,"
    "expand-divisions,limit-interleaving,loop-vectorize,forward-stores,instcombine<no-verify-"
    "fixpoint>,simplifycfg,"
    "vectorise-blocks,loop-mssa(licm),prefetch-streams)"
#if defined(SHAPECAST_ASAN)
    ",asan"
#elif defined(SHAPECAST_TSAN)
    ",tsan-module,function(tsan)"
#endif
    ;

} // namespace

bool optimize(Module &module, TargetMachine &target, std::vector<LoopRemark> *remarks,
              std::string &error) {
    module.getContext().setDiagnosticHandler(std::make_unique<RemarkCollector>(remarks));
    PipelineTuningOptions tuning;
    tuning.SLPVectorization = true;
    disableStrideVersioning();
    disablePostRaScheduling();
    alignInnermostLoops();
    PassInstrumentationCallbacks callbacks; // no further passes once compilation is cancelled
    callbacks.registerShouldRunOptionalPassCallback(
        [](StringRef, Any) { return !Progress::isCancelled(); });
    PassBuilder builder(&target, tuning, std::nullopt, &callbacks);
    addOwnPasses(builder, target);
    PassAnalyses analyses(builder);
    ModulePassManager passes;
    const char *chosen = std::getenv("SHAPECAST_LLVM_PASSES"); // to try other pass lists
    if (Error failure = builder.parsePassPipeline(passes, chosen ? chosen : passList)) {
        error = toString(std::move(failure));
        return false;
    }
    passes.run(module, analyses.modules);
    expandVectorMath(module);
    leaveZerosUnordered(module);
    widenMasks(module, target);
    avoidMaskedStores(module);
    analyses.functions.clear();
    reduceStrength(module, analyses.functions);
    // The context outlives the module, the remarks need not.
    module.getContext().setDiagnosticHandler(std::make_unique<RemarkCollector>(nullptr));
    return true;
}

void leaveZerosUnordered(Module &module) {
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
                switch (call->getIntrinsicID()) {
                case Intrinsic::maximum:
                case Intrinsic::minimum:
                case Intrinsic::vector_reduce_fmaximum:
                case Intrinsic::vector_reduce_fminimum:
                    call->setHasNoSignedZeros(true);
                    break;
                default:
                    break;
                }
}

} // namespace shapecast
