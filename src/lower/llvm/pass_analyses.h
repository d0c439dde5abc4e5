// The analysis managers that a run of LLVM's new pass manager needs, registered with each other.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace shapecast {

struct PassAnalyses {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;

    explicit PassAnalyses(llvm::PassBuilder &builder) {
        builder.registerModuleAnalyses(modules);
        builder.registerCGSCCAnalyses(components);
        builder.registerFunctionAnalyses(functions);
        builder.registerLoopAnalyses(loops);
        builder.crossRegisterProxies(loops, functions, components, modules);
    }
    PassAnalyses(const PassAnalyses &) = delete;
};

} // namespace shapecast
