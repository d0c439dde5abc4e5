#include "context.h"

#include "ir/np.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;
using namespace shapecast;

MLIRContext &shapecast::context() {
    static MLIRContext *ctx =
        [] { // never destroyed: variants hold its types until the process ends
            DialectRegistry registry;
            registry
                .insert<np::NpDialect, func::FuncDialect, scf::SCFDialect, cf::ControlFlowDialect,
                        arith::ArithDialect, math::MathDialect, LLVM::LLVMDialect>();
            registerBuiltinDialectTranslation(registry);
            registerLLVMDialectTranslation(registry);
            auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
            made->loadDialect<np::NpDialect>(); // the others when something is compiled
            return made;
        }();
    return *ctx;
}
