// What kernels in C++ have of a device: numbers of threads, barriers, what lanes of a warp tell
// each other. Compiled by clang for nvptx64 without any header of C++ or of CUDA.
//
// A kernel has one parameter, a struct that the run time fills (the header of its subject), and
// blocks of `blockThreads` threads. Blocks stride over the work along x: fewer do.
#pragma once

#include "kernels/launch.h"

#define SC_KERNEL extern "C" __attribute__((nvptx_kernel)) void
#define SC_SHARED static __attribute__((address_space(3)))
#define SC_INLINE [[gnu::always_inline]] inline

namespace shapecast::kernels {

constexpr int warpLanes = 32, blockWarps = blockThreads / warpLanes;
constexpr uint32_t allLanes = ~uint32_t{0};

SC_INLINE int thread() { return int(__nvvm_read_ptx_sreg_tid_x()); }
SC_INLINE int lane() { return thread() % warpLanes; }
SC_INLINE int warp() { return thread() / warpLanes; }
SC_INLINE int64_t block() { return int64_t(__nvvm_read_ptx_sreg_ctaid_x()); }
SC_INLINE int64_t blocks() { return int64_t(__nvvm_read_ptx_sreg_nctaid_x()); }
SC_INLINE int64_t threadOfAll() { return block() * blockThreads + thread(); }
SC_INLINE int64_t allThreads() { return blocks() * blockThreads; }
SC_INLINE void barrier() { __syncthreads(); }

// Which lanes of the warp say so; all lanes call it.
SC_INLINE uint32_t ballot(bool says) { return __nvvm_vote_ballot_sync(allLanes, says); }

// Another lane's value, of any type of whole words: all lanes call it.
template <class T, class Shuffle> SC_INLINE T shuffled(const T &value, Shuffle shuffle) {
    constexpr int words = (sizeof(T) + 3) / 4;
    int32_t bits[words] = {};
    __builtin_memcpy(bits, &value, sizeof(T));
    for (int32_t &word : bits)
        word = shuffle(word);
    T result;
    __builtin_memcpy(&result, bits, sizeof(T));
    return result;
}
// Of the lane whose number differs in these bits.
template <class T> SC_INLINE T fromLaneXor(const T &value, int bits) {
    return shuffled(value, [&](int32_t word) {
        return __nvvm_shfl_sync_bfly_i32(int(allLanes), word, bits, 31);
    });
}
// Of the lane whose number is smaller by `distance`; this lane's own where there is none.
template <class T> SC_INLINE T fromLaneBelow(const T &value, int distance) {
    return shuffled(value, [&](int32_t word) {
        return __nvvm_shfl_sync_up_i32(int(allLanes), word, distance, 0);
    });
}
template <class T> SC_INLINE T fromLaneOf(const T &value, int number) {
    return shuffled(value, [&](int32_t word) {
        return __nvvm_shfl_sync_idx_i32(int(allLanes), word, number, 31);
    });
}

} // namespace shapecast::kernels
