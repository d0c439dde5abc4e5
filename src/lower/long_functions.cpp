#include "lower/long_functions.h"

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

constexpr unsigned longest = 4000; // instructions

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
    if (function.getInstructionCount() <= longest)
        return false;
    const DominatorTree dominators(function);
    const LoopInfo loops(dominators);
    return all_of(loops.getLoopsInPreorder(), callsOthers);
}

} // namespace

std::unique_ptr<Module> takeLongFunctions(Module &module) {
    SmallPtrSet<const GlobalValue *, 4> taken;
    for (Function &function : module)
        if (isLong(function)) {
            function.addFnAttr(Attribute::OptimizeNone); // says what becomes of it
            function.addFnAttr(Attribute::NoInline);
            taken.insert(&function);
        }
    if (taken.empty())
        return nullptr;
    for (GlobalValue &value : module.global_values())
        if (value.hasLocalLinkage()) {
            if (!value.hasName())
                value.setName("data");
            value.setLinkage(GlobalValue::ExternalLinkage);
            value.setDSOLocal(false); // what is linked together may lie far apart
        }
    ValueToValueMapTy mapping;
    std::unique_ptr<Module> others = CloneModule(
        module, mapping, [&](const GlobalValue *value) { return taken.contains(value); });
    for (Function &function : module)
        if (taken.contains(&function)) {
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
