// shapecast-opt: reads IR text, runs passes, prints.
#include "ir/np.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
    mlir::DialectRegistry registry;
    registry.insert<shapecast::np::NpDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                    mlir::scf::SCFDialect>();
    mlir::registerTransformsPasses();
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "shapecast optimizer\n", registry));
}
