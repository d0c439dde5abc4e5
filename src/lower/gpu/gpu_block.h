// Code of thread blocks: thread and block indices, and reductions over a block's threads.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace shapecast::gpu {

// Threads of a block that reduces: eight warps hide latency on every device since sm_60.
constexpr int64_t blockThreads = 256, blockWarps = 8;
constexpr unsigned sharedSpace = 3; // the address space of a block's shared memory

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
// Shared memory for what follows: so many slots.
mlir::Operation *sharedSlots(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                             size_t slots);
// The values (parts) of neighbouring threads combined, always in the same order, in a block of
// `blockThreads`; valid in the first thread of each group. A group has `threads` threads along x: a
// power of two up to a warp, or all of the block, which has blockWarps slots per part in `shared`.
// All threads of the block must reach it; it may be used repeatedly.
llvm::SmallVector<mlir::Value> reduceGroup(mlir::OpBuilder &builder, mlir::Location loc,
                                           mlir::ValueRange values, mlir::ValueRange identities,
                                           mlir::Value threads, mlir::Operation *shared,
                                           const Combine &combine);
// The same for the threads along y, valid in the first ones; `shared` has blockThreads slots per
// part.
llvm::SmallVector<mlir::Value> reduceColumns(mlir::OpBuilder &builder, mlir::Location loc,
                                             mlir::ValueRange values, mlir::Operation *shared,
                                             const Combine &combine);

} // namespace shapecast::gpu
