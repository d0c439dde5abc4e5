// Vector math bindings and the pass list for LLVM IR.
#include "lower/llvm_pipeline.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

#include <dlfcn.h>

using namespace llvm;

namespace shapecast {
namespace {

// What glibc's libmvec has; accurate to 4 ULP by its documentation. Second column: number of
// arguments.
const std::pair<const char *, int> vectorFunctions[] = {
    {"acos", 1},  {"acosh", 1}, {"asin", 1},  {"asinh", 1}, {"atan", 1}, {"atanh", 1}, {"cbrt", 1},
    {"cos", 1},   {"cosh", 1},  {"erf", 1},   {"erfc", 1},  {"exp", 1},  {"exp10", 1}, {"exp2", 1},
    {"expm1", 1}, {"log", 1},   {"log10", 1}, {"log1p", 1}, {"log2", 1}, {"sin", 1},   {"sinh", 1},
    {"tan", 1},   {"tanh", 1},  {"atan2", 2}, {"hypot", 2}, {"pow", 2}};

void *vectorLibrary() {
    static void *library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    return library;
}

struct Isa {
    char letter; // of the vector function ABI
    unsigned bits;
};

// The widest only: other widths may give other bits, and then an element's value would depend on
// its place.
Isa isaOf(const TargetMachine &target) {
    const MCSubtargetInfo &features = *target.getMCSubtargetInfo();
    if (features.checkFeatures("+avx512f"))
        return {'e', 512};
    if (features.checkFeatures("+avx2"))
        return {'d', 256};
    return {'b', 128}; // SSE4: every x86-64 that NumPy 2 runs on
}

// `exp` and `llvm.exp.f64` are the function exp of libmvec, `expf` and `llvm.exp.f32` its expf.
struct MathCall {
    std::string base; // "exp"
    bool isFloat;
};
std::optional<MathCall> mathCall(const Function &callee) {
    StringRef name = callee.getName();
    Type *type = callee.getReturnType();
    if (!callee.isDeclaration() || !(type->isFloatTy() || type->isDoubleTy()))
        return std::nullopt;
    const bool isFloat = type->isFloatTy();
    if (name.consume_front("llvm.")) {
        if (!name.consume_back(isFloat ? ".f32" : ".f64"))
            return std::nullopt;
    } else if (isFloat && !name.consume_back("f")) {
        return std::nullopt;
    }
    static const StringMap<int> known = [] {
        StringMap<int> map;
        for (auto [function, arguments] : vectorFunctions)
            map[function] = arguments;
        return map;
    }();
    auto found = known.find(name);
    if (found == known.end() || callee.arg_size() != static_cast<size_t>(found->second))
        return std::nullopt;
    return MathCall{name.str(), isFloat};
}

// The value of `vector-function-abi-variant` for calls of this function; declares the vector
// function it names.
std::string variantOf(Function &callee, const MathCall &call, Isa isa) {
    const unsigned lanes = isa.bits / (call.isFloat ? 32 : 64);
    const std::string prefix = "_ZGV" + std::string(1, isa.letter) + "N" + std::to_string(lanes) +
                               std::string(callee.arg_size(), 'v') + "_";
    const std::string target = prefix + call.base + (call.isFloat ? "f" : "");
    if (!dlsym(vectorLibrary(), target.c_str()))
        return "";
    Type *vector = FixedVectorType::get(callee.getReturnType(), lanes);
    const SmallVector<Type *, 2> arguments(callee.arg_size(), vector);
    auto declared = callee.getParent()->getOrInsertFunction(
        target, FunctionType::get(vector, arguments, false));
    if (auto *function = dyn_cast<Function>(declared.getCallee())) {
        function->setDoesNotAccessMemory();
        function->setDoesNotThrow();
        function->setWillReturn();
    }
    return prefix + callee.getName().str() + "(" + target + ")";
}

// What a nest still computes one by one (the remainder of a loop, loops that were not vectorised)
// goes through the vector function too, for one lane: an element has the same bits wherever it
// stands.
void padScalarCalls(Module &module) {
    for (Function &function : module) {
        if (function.isDeclaration() ||
            !function.hasLocalLinkage()) // nests; the entry's own scalars are libm's
            continue;
        for (Instruction &instruction : make_early_inc_range(instructions(function))) {
            auto *call = dyn_cast<CallInst>(&instruction);
            if (!call || !call->hasFnAttr(VFABI::MappingsAttrName))
                continue;
            StringRef text = call->getFnAttr(VFABI::MappingsAttrName).getValueAsString();
            Function *vector = module.getFunction(text.split('(').second.split(')').first);
            if (!vector)
                continue;
            IRBuilder<> b(call);
            const unsigned lanes = cast<FixedVectorType>(vector->getReturnType())->getNumElements();
            SmallVector<Value *, 2> arguments;
            for (Value *argument : call->args())
                arguments.push_back(b.CreateVectorSplat(lanes, argument));
            call->replaceAllUsesWith(
                b.CreateExtractElement(b.CreateCall(vector, arguments), uint64_t(0)));
            call->eraseFromParent();
        }
    }
}

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

// A third of the default pipeline's time for the same loops (measured): the IR comes in simple
// form, with one function per nest, so that most of the default passes find nothing to do.
constexpr const char *passList = "always-inline,cgscc(inline),"
                                 "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,jump-"
                                 "threading,instcombine<no-verify-fixpoint>,"
                                 "loop-mssa(loop-rotate,licm),loop(indvars),loop-vectorize,"
                                 "loop-load-elim,instcombine<no-verify-fixpoint>,simplifycfg,"
                                 "slp-vectorizer,loop-mssa(licm))";

} // namespace

void bindVectorMath(Module &module, const TargetMachine &target) {
    if (!vectorLibrary())
        return;
    const Isa isa = isaOf(target);
    SmallVector<Function *> functions;
    for (Function &function : module)
        functions.push_back(&function); // a copy: declarations are added on the way
    for (Function *callee : functions) {
        std::optional<MathCall> call = mathCall(*callee);
        if (!call || callee->use_empty())
            continue;
        const std::string variants = variantOf(*callee, *call, isa);
        // No errno, no traps: only such calls may be made for several lanes at once.
        callee->setDoesNotAccessMemory();
        callee->setDoesNotThrow();
        callee->setWillReturn();
        for (User *user : callee->users())
            if (auto *site = dyn_cast<CallInst>(user);
                site && site->getCalledFunction() == callee) {
                site->setDoesNotAccessMemory();
                site->setDoesNotThrow();
                if (!variants.empty())
                    site->addFnAttr(
                        Attribute::get(module.getContext(), VFABI::MappingsAttrName, variants));
            }
    }
}

bool optimize(Module &module, TargetMachine &target, std::vector<std::string> *remarks,
              std::string &error) {
    module.getContext().setDiagnosticHandler(std::make_unique<RemarkCollector>(remarks));
    PipelineTuningOptions tuning;
    tuning.SLPVectorization = true;
    PassBuilder builder(&target, tuning);
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    ModulePassManager passes;
    const char *chosen = std::getenv("SHAPECAST_LLVM_PASSES"); // to try other lists
    if (Error failure = builder.parsePassPipeline(passes, chosen ? chosen : passList)) {
        error = toString(std::move(failure));
        return false;
    }
    passes.run(module, modules);
    padScalarCalls(module);
    return true;
}

} // namespace shapecast
