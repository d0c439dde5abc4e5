// The pool of threads: parts of one loop, shared among several threads.
//
// One loop at a time has the pool; one that begins meanwhile, of another Python thread or inside a
// part, runs in its own thread alone. What is computed does not depend on who computes it: parts
// are iterations that need nothing of each other.
#pragma once

#include "runtime/abi.h"

namespace shapecast::runtime {

// Threads that a loop is shared among, the caller's included; 1: none is shared.
int threadCount();
void setThreadCount(int count); // 1 .. mostThreads
// Processors that this process may use: by its affinity mask, and by its control group's quota.
int usableProcessors();
inline constexpr int mostThreads = 1024;

// Of a context: work (lower/nest_calls.cpp counts it) from which on a nest is shared.
int64_t workToShare();
int64_t shareFrom(int64_t work); // for tests: small nests too; what it was

// Bytes that one strip of a group of nests touches (passes/strips.h). For tests: what it was.
int64_t stripBytes(int64_t bytes);

// Bytes that a nest touches from which on it stores past the caches: those of the last one. For
// tests: what it was.
int64_t bytesToStream();
int64_t streamFrom(int64_t bytes);

inline constexpr int mostOperands = 48; // of a nest

bool isStopped(const Team &team); // its helpers are to leave off

// Calls `part` for parts of all iterations 0 .. count - 1, of at least `least` each: see sc_share_.
using Part = void (*)(Context *ctx, const int64_t *operands, int64_t from, int64_t to);
void parallel(Context *ctx, Part part, const int64_t *operands, int64_t count, int64_t least = 1);

extern "C" {
// sc_share_<n>(ctx, nest, count, least, n operands): nest(operands ..., ctx, from, to) for parts of
// all iterations 0 .. count - 1, of at least `least` each, each in some thread, with a context of
// its own. The operands are integers and pointers. Does not return when the poller wants the call
// to end, and then no thread is at work on it any more.

// The same of a reduction: a part's value goes to `results`; `width` slots of 8 bytes. Two
// neighbours are combined in the left one.
using ReducePart = void (*)(Context *ctx, const int64_t *operands, int64_t from, int64_t to,
                            int64_t *results);
using CombineParts = void (*)(int64_t *left, const int64_t *right);
// Parts are the nodes of a tree: the left half of n iterations is n / 2, rounded down to a multiple
// of `unit` (a power of 2).
void sc_parallel_reduce(Context *ctx, ReducePart part, const int64_t *operands, int64_t count,
                        CombineParts combine, int64_t unit, int64_t *results, int64_t width);

// The same of a loop of the program. A part's turns may make arrays and fail: then it returns 1,
// with the error in its context. The result is 1 if one did, and the error that of the first turn
// that did; turns behind it may have run.
using LoopPart = int32_t (*)(Context *ctx, const int64_t *operands, int64_t from, int64_t to);
int32_t sc_parallel_loop(Context *ctx, LoopPart part, const int64_t *operands, int64_t count);
}

} // namespace shapecast::runtime
