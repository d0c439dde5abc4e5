// What the run time needs to know of the processor. Nothing else in it includes headers of one
// processor's instructions, or names them where another processor's compiler reads it.
//
// On x86-64 a kernel is compiled for several sets of instructions, and what the processor has is
// asked when it is first called. On others the plain version is all there is: 64-bit ARM always has
// vectors of 128 bits and fused multiply-add, for which it is compiled then.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#define SC_IS_X86 1
// In an attribute list: compiled for these features. SC_VERSIONS: for each of them, and chosen by
// the processor's when the module is loaded.
#define SC_TARGET(features) gnu::target(features)
#define SC_VERSIONS(...) gnu::target_clones(__VA_ARGS__)
#define SC_PROCESSOR_HAS(feature) bool(__builtin_cpu_supports(feature))
#else
#define SC_IS_X86 0
#define SC_TARGET(features)
#define SC_VERSIONS(...)
#define SC_PROCESSOR_HAS(feature) false
#endif

namespace shapecast::runtime {

inline bool hasFusedMultiplyAdd() {
#if defined(__aarch64__)
    return true;
#else
    return SC_PROCESSOR_HAS("fma");
#endif
}

// It, and 16 registers of 256 bits or 32 of 128.
inline bool hasFusedVectors() {
#if defined(__aarch64__)
    return true;
#else
    return SC_PROCESSOR_HAS("avx2") && hasFusedMultiplyAdd();
#endif
}

// In a loop that waits for another thread.
[[gnu::always_inline]] inline void pauseProcessor() {
#if SC_IS_X86
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb"); // `yield` does nothing on most
#endif
}

// A number without fraction. cvtsi2sd writes only half of its register: a zeroed one avoids the
// false dependence on the number before.
[[gnu::always_inline]] inline double realOf(int64_t whole) {
#if SC_IS_X86
    return _mm_cvtsd_f64(_mm_cvtsi64_sd(_mm_setzero_pd(), whole));
#else
    return double(whole);
#endif
}

} // namespace shapecast::runtime
