// Machine code from a module in the LLVM dialect: LLVM IR, optimisation, code generation, linking
// into the process.
#pragma once

#include "runtime/abi.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace shapecast {

struct JitOptions {
    bool keepRemarks = false;  // collect LLVM's remarks on loops: "f_nest0: vectorized loop ..."
    bool keepText = false;     // keep the optimised LLVM IR
    bool keepAssembly = false; // keep the assembly
};

// Code in the process. It lives as long as somebody holds it; the entry must not run beyond that.
struct CompiledCode {
    runtime::Entry entry = nullptr;
    std::vector<std::string> remarks;
    std::string text, assembly;
    size_t objectBytes = 0;
    double optimizeMilliseconds = 0, codegenMilliseconds = 0, linkMilliseconds = 0;
    virtual ~CompiledCode() = default;
};

// `module` holds only LLVM-dialect functions; calls of functions it does not define go to the run
// time (runtime::runtimeSymbols), the C library or libm. Null on failure, with the reason in
// `error`.
std::shared_ptr<CompiledCode> jitCompile(mlir::ModuleOp module, llvm::StringRef entry,
                                         const JitOptions &options, std::string &error);

} // namespace shapecast
