// shapecast-opt: mlir-opt for this compiler: parses IR, runs passes, prints.
#include "ir/np.h"
#include "ir/verify_level.h"
#include "lower/function/launches.h"
#include "lower/gpu/ptx.h"
#include "pipeline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace shapecast;

namespace {

// Prints the module, as the passes before it leave it, as PTX.
struct EmitPtx : mlir::PassWrapper<EmitPtx, mlir::OperationPass<mlir::ModuleOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EmitPtx)
    EmitPtx() = default;
    EmitPtx(const EmitPtx &other) : PassWrapper(other) { target = other.target; }
    llvm::StringRef getArgument() const final { return "emit-ptx"; }
    llvm::StringRef getDescription() const final {
        return "prints the module of kernels as PTX, to stdout";
    }
    void runOnOperation() final {
        std::string error;
        std::optional<std::string> text = emitPtx(kernelsOf(getOperation()), target, error);
        if (!text) {
            getOperation().emitError(error);
            return signalPassFailure();
        }
        llvm::outs() << *text;
    }
    Option<std::string> target{*this, "target", llvm::cl::desc("the architecture"),
                               llvm::cl::init("sm_80")};
};

} // namespace

int main(int argc, char **argv) {
    mlir::DialectRegistry registry;
    registry.insert<np::NpDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                    mlir::scf::SCFDialect, mlir::cf::ControlFlowDialect, mlir::math::MathDialect,
                    mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
    mlir::registerTransformsPasses();
    np::registerVerifyLevel();
    registerPipeline();
    mlir::PassRegistration<EmitPtx>();
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "shapecast optimizer\n", registry));
}
