// Machine code from a module in the LLVM dialect: LLVM IR, optimisation, code generation, linking
// into the process.
#pragma once

#include "lower/llvm/loop_remark.h"
#include "runtime/abi.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace shapecast {

struct JitOptions {
    bool keepRemarks = false;  // collect LLVM's remarks on loops
    bool keepText = false;     // keep the optimised LLVM IR
    bool keepAssembly = false; // keep the assembly
    bool keepObjects = false;  // keep the object files
};

// Code in the process, freed with the last reference; the entry must not run after that.
struct CompiledCode {
    runtime::Entry entry = nullptr;
    std::vector<LoopRemark> remarks;
    std::string text, assembly;
    std::vector<std::string> objects;
    size_t objectBytes = 0;
    double optimizeMilliseconds = 0, codegenMilliseconds = 0, linkMilliseconds = 0;
    virtual ~CompiledCode() = default;
};

// `module` holds only LLVM-dialect functions; calls of functions it does not define go to the run
// time (runtime::runtimeSymbols), the C library or libm. Null on failure, with the reason in
// `error`.
std::shared_ptr<CompiledCode> jitCompile(mlir::ModuleOp module, llvm::StringRef entry,
                                         const JitOptions &options, std::string &error);

// The same of the object files that jitCompile() made, in this process or in another one of the
// same build and on the same kind of processor. They contain no address of a process: what they
// call are symbols.
std::shared_ptr<CompiledCode> jitLink(llvm::ArrayRef<std::string> objects, llvm::StringRef entry,
                                      std::string &error);

// What machine code is made for: processor, its features, and the libraries that code may call.
const std::string &targetId();

} // namespace shapecast
