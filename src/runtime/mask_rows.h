// Rows of boolean masks: tests for set bytes, their indices, and compression of elements by a mask.
#pragma once

#include "runtime/processor.h"

#include <cstdint>
#include <cstring>

namespace shapecast::runtime {

inline constexpr int64_t blockSize = 512; // offsets, which stay in the L1 cache

// A bool is true where its byte is not 0: views of other dtypes may make it any number.
inline constexpr uint64_t allSet = 0x0101010101010101;

// 1 in each byte that is not 0.
inline uint64_t setBytes(uint64_t word) {
    constexpr uint64_t low = 0x7f * allSet;
    return ((((word & low) + low) | word) >> 7) & allSet;
}

inline uint64_t wordAt(const uint8_t *mask) {
    uint64_t word;
    std::memcpy(&word, mask, 8);
    return word;
}

// Are all bytes 0 or 1? Not inlined: from this fact the compiler would turn selects into branches.
[[gnu::noinline]] inline bool hasOnlyZeroAndOne(const uint8_t *mask, int64_t length) {
    uint64_t seen = 0;
    int64_t i = 0;
    for (; i + 8 <= length; i += 8)
        seen |= wordAt(mask + i);
    for (; i < length; ++i)
        seen |= mask[i];
    return !(seen & ~allSet);
}

// The next index from which 8 bytes are not all 0, or fewer than 8 are left.
inline int64_t nextSet(const uint8_t *mask, int64_t i, int64_t length) {
    for (; i + 32 <= length; i += 32)
        if (wordAt(mask + i) | wordAt(mask + i + 8) | wordAt(mask + i + 16) | wordAt(mask + i + 24))
            break;
    for (; i + 8 <= length && wordAt(mask + i) == 0; i += 8) {
    }
    return i;
}

#if SC_IS_X86
// Compress-stores elements of 4 or 8 bytes, a vector of them at a time; at[0] and at[1]: the number
// of elements stored, and of mask bytes read. Stores whole vectors, beyond the elements found too,
// within `room`.
[[SC_TARGET("avx512f,avx512bw,avx512vl,popcnt")]] inline void
compressBy512(const uint8_t *mask, int64_t length, const uint64_t *from, uint64_t *to, int64_t room,
              int64_t *at) {
    int64_t found = 0, i = 0;
    for (; i + 8 <= length && found + 8 <= room; i += 8) {
        const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(mask + i));
        const auto set = __mmask8(_mm_test_epi8_mask(bytes, bytes));
        _mm512_storeu_si512(to + found,
                            _mm512_maskz_compress_epi64(set, _mm512_loadu_si512(from + i)));
        found += __builtin_popcount(set);
    }
    at[0] = found;
    at[1] = i;
}

[[SC_TARGET("avx512f,avx512bw,avx512vl,popcnt")]] inline void
compressBy512(const uint8_t *mask, int64_t length, const uint32_t *from, uint32_t *to, int64_t room,
              int64_t *at) {
    int64_t found = 0, i = 0;
    for (; i + 16 <= length && found + 16 <= room; i += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(mask + i));
        const __mmask16 set = _mm_test_epi8_mask(bytes, bytes);
        _mm512_storeu_si512(to + found,
                            _mm512_maskz_compress_epi32(set, _mm512_loadu_si512(from + i)));
        found += __builtin_popcount(set);
    }
    at[0] = found;
    at[1] = i;
}

// AVX2 has no compress instruction: a table of permutations that move the lanes of a set to the
// front. Of eight lanes, and of four by pairs of 32-bit lanes.
struct CompressTables {
    alignas(32) uint8_t ofEight[256][8] = {};
    alignas(32) uint32_t ofFour[16][8] = {};
    constexpr CompressTables() {
        for (int set = 0; set < 256; ++set)
            for (int lane = 0, found = 0; lane < 8; ++lane)
                if (set >> lane & 1)
                    ofEight[set][found++] = uint8_t(lane);
        for (int set = 0; set < 16; ++set)
            for (int lane = 0, found = 0; lane < 4; ++lane)
                if (set >> lane & 1) {
                    ofFour[set][found++] = uint32_t(2 * lane);
                    ofFour[set][found++] = uint32_t(2 * lane + 1);
                }
    }
};
inline constexpr CompressTables compressTables;

// Stores eight elements, those of a set first; returns how many these are.
[[SC_TARGET("avx2,popcnt")]] inline int64_t compress8(unsigned set, const uint64_t *from,
                                                      uint64_t *to) {
    int64_t found = 0;
    for (int half = 0; half < 2; ++half) {
        const unsigned four = set >> 4 * half & 15;
        const auto *order = reinterpret_cast<const __m256i *>(compressTables.ofFour[four]);
        const auto *lanes = reinterpret_cast<const __m256i *>(from + 4 * half);
        _mm256_storeu_si256(
            reinterpret_cast<__m256i *>(to + found),
            _mm256_permutevar8x32_epi32(_mm256_loadu_si256(lanes), _mm256_load_si256(order)));
        found += __builtin_popcount(four);
    }
    return found;
}

[[SC_TARGET("avx2,popcnt")]] inline int64_t compress8(unsigned set, const uint32_t *from,
                                                      uint32_t *to) {
    const auto *order = reinterpret_cast<const __m128i *>(compressTables.ofEight[set]);
    const auto *lanes = reinterpret_cast<const __m256i *>(from);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to),
                        _mm256_permutevar8x32_epi32(_mm256_loadu_si256(lanes),
                                                    _mm256_cvtepu8_epi32(_mm_loadl_epi64(order))));
    return __builtin_popcount(set);
}

// One bit for each byte of 32 that is not 0.
[[SC_TARGET("avx2")]] inline unsigned setOf32(const uint8_t *mask) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(mask));
    return ~unsigned(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())));
}

template <class T>
[[SC_TARGET("avx2,popcnt")]] void compressBy256(const uint8_t *mask, int64_t length, const T *from,
                                                T *to, int64_t room, int64_t *at) {
    int64_t found = 0, i = 0;
    while (i + 32 <= length && found + 32 <= room) {
        const unsigned set = setOf32(mask + i);
        if (set == 0) {
            i = nextSet(mask, i + 32, length);
            continue;
        }
        if (set == ~0U) {
            std::memcpy(to + found, from + i, 32 * sizeof(T));
            found += 32;
        } else {
            for (int k = 0; k < 32; k += 8)
                found += compress8(set >> k & 255, from + i + k, to + found);
        }
        i += 32;
    }
    at[0] = found;
    at[1] = i;
}

// Stores (i + k) * step for each of 32 mask bytes k that is set; returns how many. Writes up to 32
// elements.
[[SC_TARGET("avx2,popcnt")]] inline int64_t setIndices32(const uint8_t *mask, int64_t i,
                                                         int64_t step, int64_t *to) {
    const unsigned set = setOf32(mask + i);
    const __m256i four = _mm256_set1_epi64x(4 * step);
    __m256i indices = _mm256_add_epi64(_mm256_set1_epi64x(i * step),
                                       _mm256_setr_epi64x(0, step, 2 * step, 3 * step));
    int64_t found = 0;
    for (int k = 0; k < 32; k += 4) {
        const unsigned some = set >> k & 15;
        const auto *order = reinterpret_cast<const __m256i *>(compressTables.ofFour[some]);
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + found),
                            _mm256_permutevar8x32_epi32(indices, _mm256_load_si256(order)));
        found += __builtin_popcount(some);
        indices = _mm256_add_epi64(indices, four);
    }
    return found;
}

inline bool hasVectorsOf256() {
    static const bool has = SC_PROCESSOR_HAS("avx2") && SC_PROCESSOR_HAS("popcnt");
    return has;
}
#endif

// Compresses a row: the elements whose mask byte is set. `to` has room for `room` elements.
template <class T>
int64_t compressRow(const uint8_t *mask, int64_t length, const T *from, T *to, int64_t room) {
    int64_t at[2] = {0, 0};
#if SC_IS_X86
    static const bool has512 = SC_PROCESSOR_HAS("avx512bw") && SC_PROCESSOR_HAS("avx512vl");
    if constexpr (sizeof(T) == 8 || sizeof(T) == 4) {
        if (has512)
            compressBy512(mask, length, from, to, room, at);
        else if (hasVectorsOf256())
            compressBy256(mask, length, from, to, room, at);
    }
#endif
    int64_t found = at[0], i = at[1];
    while (i + 8 <= length && found + 8 <= room) {
        const uint64_t word = wordAt(mask + i);
        if (word == 0) {
            i = nextSet(mask, i + 8, length);
            continue;
        }
        if (word == allSet) {
            std::memcpy(to + found, from + i, 8 * sizeof(T));
            found += 8;
        } else {
            for (int64_t k = 0; k < 8; ++k) {
                to[found] = from[i + k];
                found += mask[i + k] != 0;
            }
        }
        i += 8;
    }
    for (; i < length && found < room; ++i) {
        i = nextSet(mask, i, length);
        if (i < length && mask[i])
            to[found++] = from[i];
    }
    return found;
}

// Stores the indices of set bytes into `to` as long as there is room for 32; returns how many.
// `done` becomes the number of bytes read.
inline int64_t storeSetIndices(const uint8_t *mask, int64_t length, int64_t *to, int64_t room,
                               int64_t &done) {
    int64_t found = 0, i = 0;
#if SC_IS_X86
    if (hasVectorsOf256())
        while ((i = nextSet(mask, i, length)) + 32 <= length && found + 32 <= room) {
            found += setIndices32(mask, i, 1, to + found);
            i += 32;
        }
#endif
    done = i;
    return found;
}

// Calls use(offsets, count) for blocks of the offsets i * step of the set bytes of a mask's row.
template <class Use>
void forSetOffsets(const uint8_t *mask, int64_t maskStep, int64_t length, int64_t step, Use use) {
    int64_t offsets[blockSize];
    int64_t found = 0;
    auto flush = [&](int64_t more) { // makes room for `more` offsets
        if (found > blockSize - more) {
            use(offsets, found);
            found = 0;
        }
    };
    int64_t i = 0;
#if SC_IS_X86
    if (maskStep == 1 && hasVectorsOf256())
        while ((i = nextSet(mask, i, length)) + 32 <= length) {
            flush(32);
            found += setIndices32(mask, i, step, offsets + found);
            i += 32;
        }
#endif
    while (maskStep == 1 && i + 8 <= length) {
        const uint64_t word = wordAt(mask + i);
        if (word == 0) {
            i = nextSet(mask, i + 8, length);
            continue;
        }
        flush(8);
        for (int64_t k = 0; k < 8; ++k) {
            offsets[found] = (i + k) * step;
            found += word == allSet || mask[i + k] != 0;
        }
        i += 8;
    }
    for (; i < length; ++i) {
        flush(1);
        offsets[found] = i * step;
        found += mask[i * maskStep] != 0;
    }
    if (found)
        use(offsets, found);
}

} // namespace shapecast::runtime
