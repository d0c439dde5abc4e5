// shapecast-opt: reads IR text, runs passes, prints.
#include "ir/np.h"
#include "ir/verify_stage.h"
#include "passes/passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace shapecast;

int main(int argc, char **argv) {
    mlir::DialectRegistry registry;
    registry.insert<np::NpDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                    mlir::scf::SCFDialect, mlir::cf::ControlFlowDialect, mlir::math::MathDialect,
                    mlir::LLVM::LLVMDialect>();
    mlir::registerTransformsPasses();
    np::registerVerifyStage();
    for (auto create :
         {createSpecialise, createInlineCalls, createInferTypes, createSimplify,
          createPromoteValues, createBlockLoops, createFormNests, createScheduleStores,
          createChecks, createLifetime, createLowerToLoops, createLowerToLLVM})
        mlir::registerPass(create);
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "shapecast optimizer\n", registry));
}
