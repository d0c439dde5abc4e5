#include "lower/llvm/long_functions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace shapecast {
namespace {

constexpr unsigned maxInstructions = 4000; // of functions that are not long

bool callsOthers(const Loop *loop) {
    return any_of(loop->blocks(), [](const BasicBlock *block) {
        return any_of(*block, [](const Instruction &instruction) {
            auto *call = dyn_cast<CallInst>(&instruction);
            return call && !isa<IntrinsicInst>(call) && call->getCalledFunction() &&
                   call->getCalledFunction()->getName() != "sc_poll";
        });
    });
}

bool isLong(Function &function) {
    if (function.getInstructionCount() <= maxInstructions)
        return false;
    const DominatorTree dominators(function);
    const LoopInfo loops(dominators);
    return all_of(loops.getLoopsInPreorder(), callsOthers);
}

} // namespace

std::unique_ptr<Module> extractLongFunctions(Module &module) {
    SmallPtrSet<const GlobalValue *, 4> extracted;
    for (Function &function : module)
        if (isLong(function)) {
            function.addFnAttr(Attribute::OptimizeNone); // shows in the IR how it is compiled
            function.addFnAttr(Attribute::NoInline);
            extracted.insert(&function);
        }
    if (extracted.empty())
        return nullptr;
    for (GlobalValue &value : module.global_values())
        if (value.hasLocalLinkage()) {
            if (!value.hasName())
                value.setName("data");
            value.setLinkage(GlobalValue::ExternalLinkage);
            value.setDSOLocal(false); // the objects may be linked far apart
        }
    ValueToValueMapTy mapping;
    std::unique_ptr<Module> others = CloneModule(
        module, mapping, [&](const GlobalValue *value) { return extracted.contains(value); });
    for (Function &function : module)
        if (extracted.contains(&function)) {
            function.deleteBody();
            function.removeFnAttr(Attribute::OptimizeNone);
        }
    return others;
}

std::unique_ptr<TargetMachine> quickMachine(const TargetMachine &machine) {
    return std::unique_ptr<TargetMachine>(machine.getTarget().createTargetMachine(
        machine.getTargetTriple(), machine.getTargetCPU(), machine.getTargetFeatureString(),
        machine.Options, machine.getRelocationModel(), machine.getCodeModel(),
        CodeGenOptLevel::None));
}

} // namespace shapecast
