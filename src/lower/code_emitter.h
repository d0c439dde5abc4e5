// Object files from optimised LLVM IR, by one list of code generation passes that is made once:
// making it costs as much as a tenth of a short function's first call.
#pragma once

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace shapecast {

// The passes that write code, but for strength reduction of addresses, which is done before where
// it pays (llvm_pipeline.cpp). False: the target has no code of that type.
bool addCodePasses(llvm::TargetMachine &machine, llvm::legacy::PassManager &passes,
                   llvm::raw_svector_ostream &stream, llvm::CodeGenFileType type);

// By a list of passes for this one module. False: the target has no code of that type.
bool emitCode(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
              llvm::SmallVectorImpl<char> &bytes);

class CodeEmitter {
public:
    explicit CodeEmitter(llvm::TargetMachine &machine) : machine(machine) {}

    // What the next module must be made in. None of earlier modules may be alive: now and then the
    // context is a new one, since it keeps all types and constants that it has seen.
    llvm::LLVMContext &nextContext();

    // `module` is of nextContext(). False: the target emits no objects.
    bool emit(llvm::Module &module, llvm::SmallVectorImpl<char> &bytes);

private:
    llvm::TargetMachine &machine;
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::SmallVector<char, 0>> buffer; // that `stream` writes to
    std::unique_ptr<llvm::raw_svector_ostream> stream;
    std::unique_ptr<llvm::legacy::PassManager> passes; // of `context`, writes to `stream`
    unsigned modules = 0;                              // made in `context`
};

} // namespace shapecast
