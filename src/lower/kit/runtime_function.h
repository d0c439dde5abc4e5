// Calls of the run time's functions: `RuntimeFunction<&runtime::sc_alloc>(module).call(...)`.
//
// Symbol and type are those of the C++ declaration, so that a function that does not exist, or
// a call with too many operands, does not compile; func.call's verifier compares their types.
#pragma once

#include "runtime/symbols.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace shapecast {

// Declares the function in the module, at its first use.
mlir::func::FuncOp declareFunction(mlir::ModuleOp module, llvm::StringRef name,
                                   mlir::FunctionType type);
mlir::func::FuncOp declareRuntimeFunction(mlir::ModuleOp module,
                                          const runtime::RuntimeSymbol &symbol);

// For names that are put together: of the kernels for each dtype, of operations (np.native). There
// must be one of that name: see checkNatives().
mlir::func::FuncOp runtimeFunctionNamed(mlir::ModuleOp module, llvm::StringRef name);

template <auto *function> class RuntimeFunction {
public:
    explicit RuntimeFunction(mlir::ModuleOp module)
        : callee(declareRuntimeFunction(module, runtime::symbolOf<function>())) {}

    // The result; null if the function has none.
    template <class... Operands>
    mlir::Value call(mlir::OpBuilder &builder, mlir::Location loc, Operands... operands) {
        static_assert(sizeof...(operands) == runtime::parameterCount<function>);
        auto made = mlir::func::CallOp::create(
            builder, loc, callee, mlir::ValueRange({static_cast<mlir::Value>(operands)...}));
        return made.getNumResults() ? made.getResult(0) : mlir::Value();
    }

    mlir::func::FuncOp callee;
};

// Every np.native in `root` names a function of the run time that returns what the operation does:
// else an error is reported there.
mlir::LogicalResult checkNatives(mlir::Operation *root);
// The same of what the module calls after lowering: each function without a body is the run
// time's, and has the type of its C++ declaration.
mlir::LogicalResult checkRuntimeCalls(mlir::ModuleOp module);

} // namespace shapecast
