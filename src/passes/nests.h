// np-nests: every value becomes elements computed in loop nests.
//
// Before: the IR after np-promote (values: tensors that only np.read, np.ufunc, np.cast,
// np.broadcast, np.splat, np.iota, np.reduce and np.matmul make). After: no tensor is left.
// - np.assign, np.materialize and np.reduce are np.nest; an element-wise expression is one nest
// without temporary.
// - np.matmul is np.gemm into a fresh array.
// - A value is stored in a fresh array at its definition when an array it reads is written before a
// consumer runs,
//   when a loop would compute it again, or when several consumers would repeat more than a few
//   flops.
// - Neighbouring nests over equal spaces that share operands are one, where no element could be
// seen too early. Views stay operands of nests (np.view); maps hold iterators, zeros and
// bcast(size) only.
#pragma once

#include "passes/passes.h"
#include "passes/points_to.h"

namespace shapecast {

// A nest under construction.
struct NestParts {
    llvm::SmallVector<np::DimAttr> space;
    int64_t reduced = 0;
    llvm::SmallVector<mlir::Value> reads, writes;
    llvm::SmallVector<llvm::SmallVector<np::DimAttr>> readMaps, writeMaps;
    llvm::SmallVector<llvm::StringRef> combine;
    llvm::SmallVector<mlir::Type> results;
    std::unique_ptr<mlir::Block> body = std::make_unique<mlir::Block>();

    mlir::OpBuilder inside() const { // at the end of the body, which belongs to no operation yet
        mlir::OpBuilder builder(space.front().getContext());
        builder.setInsertionPointToEnd(body.get());
        return builder;
    }
};
np::DimAttr iterator(mlir::MLIRContext *ctx, int64_t k); // the symbol d<k>
np::NestOp createNest(mlir::OpBuilder &builder, mlir::Location loc, NestParts &&parts);
// A nest that copies one array into another of equal dims.
np::NestOp createCopyNest(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from,
                          mlir::Value to);

void fuseNests(np::FuncOp func); // src/passes/fuse.cpp
// The same of nests that np-schedule has seen to, those that become one moving past others of which
// they need nothing; `schedule` sees to what they become.
void fuseScheduled(np::FuncOp func, const PointsTo &pointsTo,
                   llvm::function_ref<void(np::NestOp)> schedule);
void reuseArrays(np::FuncOp func); // src/passes/reuse.cpp

} // namespace shapecast
