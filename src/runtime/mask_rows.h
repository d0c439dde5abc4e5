// Rows of masks: which bytes are set, where, and the elements beside them.
#pragma once

#include <cstdint>
#include <cstring>
#include <immintrin.h>

namespace shapecast::runtime {

inline constexpr int64_t blockSize = 512; // of offsets: they stay in the first-level cache

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

// Are all bytes 0 or 1? Not inlined: told so, the compiler makes branches of what has none.
[[gnu::noinline]] inline bool isPlain(const uint8_t *mask, int64_t length) {
    uint64_t seen = 0;
    int64_t i = 0;
    for (; i + 8 <= length; i += 8)
        seen |= wordAt(mask + i);
    for (; i < length; ++i)
        seen |= mask[i];
    return !(seen & ~allSet);
}

// The next place from which 8 bytes are not all 0, or where there are no 8.
inline int64_t nextSet(const uint8_t *mask, int64_t i, int64_t length) {
    for (; i + 32 <= length; i += 32)
        if (wordAt(mask + i) | wordAt(mask + i + 8) | wordAt(mask + i + 16) | wordAt(mask + i + 24))
            break;
    for (; i + 8 <= length && wordAt(mask + i) == 0; i += 8) {
    }
    return i;
}

// Elements of 4 or 8 bytes, a vector of them at a time; at[0] and at[1]: how many were found, and
// of how many places. Whole vectors are stored: the room behind what is found is written too.
[[gnu::target("avx512f,avx512bw,avx512vl,popcnt")]] inline void
compressVectors(const uint8_t *mask, int64_t length, const uint64_t *from, uint64_t *to,
                int64_t room, int64_t *at) {
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

[[gnu::target("avx512f,avx512bw,avx512vl,popcnt")]] inline void
compressVectors(const uint8_t *mask, int64_t length, const uint32_t *from, uint32_t *to,
                int64_t room, int64_t *at) {
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

// What is set of a row, one after the other: `to` has room for `room` elements.
template <class T>
int64_t compressRow(const uint8_t *mask, int64_t length, const T *from, T *to, int64_t room) {
    static const bool hasVectors =
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    int64_t at[2] = {0, 0};
    if constexpr (sizeof(T) == 8 || sizeof(T) == 4)
        if (hasVectors)
            compressVectors(mask, length, from, to, room, at);
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
    for (; i < length; ++i)
        if (mask[i])
            to[found++] = from[i];
    return found;
}

// use(offsets, count) of the places of a mask's row that are set: i * step.
template <class Use>
void placesOf(const uint8_t *mask, int64_t maskStep, int64_t length, int64_t step, Use use) {
    int64_t offsets[blockSize + 8];
    int64_t found = 0;
    auto flush = [&] {
        if (found > blockSize - 8) {
            use(offsets, found);
            found = 0;
        }
    };
    int64_t i = 0;
    while (maskStep == 1 && i + 8 <= length) {
        const uint64_t word = wordAt(mask + i);
        if (word == 0) {
            i = nextSet(mask, i + 8, length);
            continue;
        }
        for (int64_t k = 0; k < 8; ++k) {
            offsets[found] = (i + k) * step;
            found += word == allSet || mask[i + k] != 0;
        }
        flush();
        i += 8;
    }
    for (; i < length; ++i) {
        offsets[found] = i * step;
        found += mask[i * maskStep] != 0;
        flush();
    }
    if (found)
        use(offsets, found);
}

} // namespace shapecast::runtime
