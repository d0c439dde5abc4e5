// The thread pool: chunks of one loop's iterations, shared among several threads.
//
// One loop at a time uses the pool; one that begins meanwhile, of another Python thread or nested
// in a chunk, runs in its own thread alone. Results do not depend on the schedule: chunks are
// independent.
#pragma once

#include "runtime/abi.h"

namespace shapecast::runtime {

// Threads that a loop is shared among, the caller's included; 1: none is shared.
int threadCount();
void setThreadCount(int count); // 1 .. maxThreads
// Processors that this process may use: by its affinity mask, and by its control group's quota.
int usableProcessors();
inline constexpr int maxThreads = 1024;

// For Context: the work (lower/function/nest_calls.cpp estimates it) from which on a loop nest is
// shared.
int64_t minParallelWork();
int64_t setMinParallelWork(int64_t work); // for tests; returns the old value

// The bytes that one strip of a group of loop nests touches (passes/nests/strip_mine.h). For tests;
// returns the old value.
int64_t setStripBytes(int64_t bytes);

// The bytes that a loop nest touches from which on it uses non-temporal stores: the size of the
// last-level cache.
int64_t nonTemporalBytes();
int64_t setNonTemporalBytes(int64_t bytes); // for tests; returns the old value

inline constexpr int maxNestOperands = 48;

bool isStopped(const Team &team); // its helpers must end

// Calls `part` for chunks of the iterations 0 .. count - 1, of at least `minChunk` each: see
// sc_parallel_nest_.
using Part = void (*)(Context *ctx, const int64_t *operands, int64_t from, int64_t to);
void parallel(Context *ctx, Part part, const int64_t *operands, int64_t count,
              int64_t minChunk = 1);

extern "C" {
// sc_parallel_nest_<n>(ctx, nest, count, minChunk, n operands): nest(operands ..., ctx, from, to)
// for chunks of the iterations 0 .. count - 1, of at least `minChunk` each, in some thread, with
// that thread's context. The operands are integers and pointers. Does not return when the poller
// ends the call; no thread works on it any more then.

// A parallel reduction: a chunk's value is stored to `results`, `width` slots of 8 bytes. Combines
// adjacent values into the left one.
using ReducePart = void (*)(Context *ctx, const int64_t *operands, int64_t from, int64_t to,
                            int64_t *results);
using CombineParts = void (*)(int64_t *left, const int64_t *right);
// Chunks are the nodes of a tree at one depth: the left half of n iterations is n / 2, rounded down
// to a multiple of `unit` (a power of 2).
void sc_parallel_reduce(Context *ctx, ReducePart part, const int64_t *operands, int64_t count,
                        CombineParts combine, int64_t unit, int64_t *results, int64_t width);

// A parallel loop of the program. Its iterations may allocate arrays and fail: then the chunk
// returns 1, with the error in its context. The result is 1 if one did, and the error that of the
// first iteration that failed; later iterations may have run.
using LoopPart = int32_t (*)(Context *ctx, const int64_t *operands, int64_t from, int64_t to);
int32_t sc_parallel_loop(Context *ctx, LoopPart part, const int64_t *operands, int64_t count);
}

} // namespace shapecast::runtime
