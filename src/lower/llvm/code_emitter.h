// Object files from optimised LLVM IR, through one code generation pipeline that is built once:
// building it costs as much as a tenth of a short function's first call.
#pragma once

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace shapecast {

// Adds the code generation passes without loop strength reduction, which runs before them where it
// pays (llvm_pipeline.cpp). False: the target cannot emit this file type.
bool addCodePasses(llvm::TargetMachine &machine, llvm::legacy::PassManager &passes,
                   llvm::raw_svector_ostream &stream, llvm::CodeGenFileType type);

// With a pipeline for this module alone. False: the target cannot emit this file type.
bool emitCode(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
              llvm::SmallVectorImpl<char> &bytes);

class CodeEmitter {
public:
    explicit CodeEmitter(llvm::TargetMachine &machine) : machine(machine) {}

    // The context to create the next module in. No earlier module may be alive: the context is
    // replaced every 128 modules, since it keeps all types and constants that it has seen.
    llvm::LLVMContext &nextContext();

    // `module` is in nextContext(). False: the target emits no objects.
    bool emit(llvm::Module &module, llvm::SmallVectorImpl<char> &bytes);

private:
    llvm::TargetMachine &machine;
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::SmallVector<char, 0>> buffer; // the target of `stream`
    std::unique_ptr<llvm::raw_svector_ostream> stream;
    std::unique_ptr<llvm::legacy::PassManager> passes; // for `context`, write to `stream`
    unsigned modules = 0;                              // created in `context`
};

} // namespace shapecast
