// The pass list for LLVM IR.
#include "lower/llvm_pipeline.h"

#include "lower/pass_analyses.h"
#include "lower/prefetch.h"
#include "lower/vector_math.h"
#include "lower/whole_stores.h"
#include "lower/wide_divisions.h"
#include "lower/wide_masks.h"
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
    std::vector<std::string> *remarks;
    explicit RemarkCollector(std::vector<std::string> *remarks) : remarks(remarks) {}
    bool isPassedOptRemarkEnabled(StringRef) const override { return remarks; }
    bool isMissedOptRemarkEnabled(StringRef) const override { return remarks; }
    bool isAnalysisRemarkEnabled(StringRef) const override { return remarks; }
    bool isAnyRemarkEnabled() const override { return remarks; }
    bool handleDiagnostics(const DiagnosticInfo &info) override {
        auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info);
        if (remark && remarks && tellsOfLoops(*remark))
            remarks->push_back(remark->getFunction().getName().str() + ": " + remark->getMsg());
        return true; // nothing is printed
    }
    // Not the passes' many words on instructions, and not a bare "loop not vectorized" beside the
    // remark that says why.
    static bool tellsOfLoops(const DiagnosticInfoOptimizationBase &remark) {
        if (remark.getPassName() == "slp-vectorizer")
            return isa<OptimizationRemark>(remark);
        return remark.getPassName() == "loop-vectorize" && remark.getMsg() != "loop not vectorized";
    }
};

// An option of LLVM's for the whole process, which compilations use one after the other.
template <typename T> cl::opt<T> *optionOfLlvm(StringRef name, StringRef value) {
    auto &known = cl::getRegisteredOptions();
    const auto option = known.find(name);
    if (option == known.end() || option->second->addOccurrence(0, name, value))
        return nullptr;
    return static_cast<cl::opt<T> *>(option->second);
}

// How many vectors a turn of a loop takes at most.
cl::opt<unsigned> *interleaveLimit() {
    static auto *found = optionOfLlvm<unsigned>("force-target-max-vector-interleave", "2");
    return found;
}

// No second loop for a stride of 1 that is not known: it is known where it is 1, and the loop for
// all others would stay scalar (columns of a matrix: 3.7 -> 0.8 ms).
void assumeNoUnitStrides() {
    static auto *found = optionOfLlvm<bool>("enable-mem-access-versioning", "false");
    (void)found;
}

// No second scheduling, after registers are allocated: processors that run out of order do without
// (loops as fast as before, a twentieth of the time to generate them).
void leaveScheduleAlone() {
    static auto *found = optionOfLlvm<bool>("disable-post-ra", "true");
    (void)found;
}

// Innermost loops begin at multiples of 2^5 bytes: a short one is in one line of the cache then,
// wherever the rest of the function puts it (cholesky 480 or 415 us, by luck).
void alignInnermostLoops() {
    static auto *found =
        optionOfLlvm<unsigned>("x86-experimental-pref-innermost-loop-alignment", "5");
    (void)found;
}

// Two where nothing is carried from one turn to the next: the four that LLVM takes are no faster
// (measured), and are twice the code to generate. Reductions need them, and long chains of
// operations: they wait for themselves.
struct LimitInterleaving : PassInfoMixin<LimitInterleaving> {
    unsigned most; // the target's own

    static bool waitsForItself(const Loop *loop) {
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
            *limit = any_of(loops, waitsForItself) ? most : std::min(most, 2u);
        return PreservedAnalyses::all();
    }
};

bool isNest(const Function &function) { return function.hasFnAttribute(Attribute::NoInline); }

// A store that the next iteration loads: in loops of the program. Nests have none (np-schedule).
struct ForwardStores : PassInfoMixin<ForwardStores> {
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        if (isNest(function))
            return PreservedAnalyses::all();
        return LoopLoadEliminationPass().run(function, analyses);
    }
};

// Comparisons that an index decides, exit conditions of one kind: in loops of the program. A nest's
// loops count from 0 to a size by 1, and its checks stand before it (bench/ is as fast without).
struct SimplifyIndices : PassInfoMixin<SimplifyIndices> {
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        if (isNest(function))
            return PreservedAnalyses::all();
        return createFunctionToLoopPassAdaptor(IndVarSimplifyPass()).run(function, analyses);
    }
};

// Scalar operations side by side are made vectors where a block has some.
struct VectoriseBlocks : PassInfoMixin<VectoriseBlocks> {
    static bool hasSeveral(const BasicBlock &block) {
        constexpr unsigned several = 4;
        unsigned found = 0;
        for (const Instruction &instruction : block)
            found +=
                (isa<StoreInst>(instruction) && !isa<VectorType>(storedType(instruction))) ||
                (isa<BinaryOperator>(instruction) && instruction.getType()->isFloatingPointTy());
        return found >= several;
    }
    static Type *storedType(const Instruction &store) { return store.getOperand(0)->getType(); }
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        if (none_of(function, hasSeveral))
            return PreservedAnalyses::all();
        return SLPVectorizerPass().run(function, analyses);
    }
};

void addOwnPasses(PassBuilder &builder, const TargetMachine &target) {
    const bool hasAvx = is_contained(split(target.getTargetFeatureString(), ','), "+avx");
    builder.registerPipelineParsingCallback(
        [=](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
            if (name == "limit-interleaving")
                passes.addPass(LimitInterleaving{{}, hasAvx ? 4u : 2u});
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

// Pointers that move along instead of places computed anew, in loops of the program. The index and
// the invariant addresses of a nest are as good for x86 (bench/: as fast on the whole, stencils by
// a tenth faster), and this is a sixth of the time of a first call. Code generation, which would do
// it in every function, leaves it out (code_emitter.cpp).
void reduceStrength(Module &module, FunctionAnalysisManager &analyses) {
    for (Function &function : module)
        if (!function.isDeclaration() && !isNest(function))
            createFunctionToLoopPassAdaptor(LoopStrengthReducePass()).run(function, analyses);
}

// A third of the default pipeline's time for the same loops (measured): the IR comes in simple
// form, with one function per nest, so that most of the default passes find nothing to do.
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

bool optimize(Module &module, TargetMachine &target, std::vector<std::string> *remarks,
              std::string &error) {
    module.getContext().setDiagnosticHandler(std::make_unique<RemarkCollector>(remarks));
    PipelineTuningOptions tuning;
    tuning.SLPVectorization = true;
    assumeNoUnitStrides();
    leaveScheduleAlone();
    alignInnermostLoops();
    PassInstrumentationCallbacks callbacks; // the rest is left out where nobody wants the code
    callbacks.registerShouldRunOptionalPassCallback(
        [](StringRef, Any) { return !Progress::stops(); });
    PassBuilder builder(&target, tuning, std::nullopt, &callbacks);
    addOwnPasses(builder, target);
    PassAnalyses analyses(builder);
    ModulePassManager passes;
    const char *chosen = std::getenv("SHAPECAST_LLVM_PASSES"); // to try other lists
    if (Error failure = builder.parsePassPipeline(passes, chosen ? chosen : passList)) {
        error = toString(std::move(failure));
        return false;
    }
    passes.run(module, analyses.modules);
    expandVectorMath(module);
    leaveZerosUnordered(module);
    widenMasks(module, target);
    storeWhole(module);
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
