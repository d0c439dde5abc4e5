// np-nests: value operations become loop nests with explicit access functions, and intermediate
// results scalars in a nest's body instead of arrays (contraction).
//
//     y = (x * w + b).sum(axis=1)   ->   for i, j: y[i] += x[i, j] * w[i, j] + b[j]
//
// Before: the IR after np-promote (values: tensors that only np.read, np.ufunc, np.cast,
// np.broadcast, np.splat, np.iota, np.reduce and np.matmul make). After: no tensor is left.
// - np.assign, np.materialize and np.reduce are np.nest; an element-wise expression is one nest
//   without a temporary array.
// - np.matmul is np.gemm into a fresh array.
// - A value is stored in a fresh array at its definition if an array that it reads is clobbered
//   before a use, if a loop would compute it again, or if rematerialising it at several uses would
//   repeat more than a few flops.
// Views stay operands of nests (np.view); maps hold iterators, zeros and bcast(size) only.
#pragma once

#include "passes/analysis/points_to.h"

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

    mlir::OpBuilder inside(mlir::MLIRContext *ctx) const { // at the end of the body
        mlir::OpBuilder builder(ctx);
        builder.setInsertionPointToEnd(body.get());
        return builder;
    }
};
np::DimAttr iterator(mlir::MLIRContext *ctx, int64_t k); // the symbol d<k>
np::NestOp createNest(mlir::OpBuilder &builder, mlir::Location loc, NestParts &&parts);
// A nest that copies one array into another of equal dims.
np::NestOp createCopyNest(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from,
                          mlir::Value to);

mlir::LogicalResult formNests(np::FuncOp func); // np-nests

} // namespace shapecast
