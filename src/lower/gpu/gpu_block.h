// Code of thread blocks: thread and block indices, and reductions over a block's threads.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace shapecast::gpu {

// Threads of a block that reduces: eight warps hide latency on every device since sm_60.
constexpr int64_t blockThreads = 256;

enum class Axis { X, Y };
// As i64: the thread in its block, the block, and the number of threads and of blocks.
mlir::Value threadId(mlir::OpBuilder &builder, mlir::Location loc, Axis axis);
mlir::Value blockId(mlir::OpBuilder &builder, mlir::Location loc, Axis axis);
mlir::Value threadCount(mlir::OpBuilder &builder, mlir::Location loc, Axis axis);
mlir::Value blockCount(mlir::OpBuilder &builder, mlir::Location loc, Axis axis);

// Eight-byte slots, which hold values of any type; bools as integers.
void storeSlot(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base, mlir::Value index,
               mlir::Value part);
mlir::Value loadSlot(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base,
                     mlir::Value index, mlir::Type type);

using Combine = std::function<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::ValueRange,
                                                             mlir::ValueRange)>;
// Shared memory for reduceBlock: eight slots per part.
mlir::Operation *sharedSlots(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                             size_t parts);
// The values (parts) of all threads of a block of `blockThreads` combined, always in the same
// order; valid in thread 0. All threads of the block must reach it; it may be used repeatedly.
llvm::SmallVector<mlir::Value> reduceBlock(mlir::OpBuilder &builder, mlir::Location loc,
                                           mlir::ValueRange values, mlir::ValueRange identities,
                                           mlir::Operation *shared, const Combine &combine);

} // namespace shapecast::gpu
