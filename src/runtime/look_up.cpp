// Tables of bytes: see the header. A table of 256 stands in four registers of AVX-512 (VBMI), where
// 64 bytes are looked up by three operations; one by one from memory it takes ten times as long.
// AVX2 has tables of 16: all of them are asked, and one bit of the place after the other says which
// half of the answers counts (0.13 ns a byte; one by one 0.33).
#include "runtime/look_up.h"

#include <immintrin.h>

namespace shapecast::runtime {
namespace {

[[gnu::target("avx512f,avx512bw,avx512vbmi")]] int64_t
lookUpVectors(const uint8_t *table, const uint8_t *places, uint8_t *to, int64_t count) {
    const __m512i first = _mm512_loadu_si512(table), second = _mm512_loadu_si512(table + 64),
                  third = _mm512_loadu_si512(table + 128), fourth = _mm512_loadu_si512(table + 192);
    int64_t i = 0;
    for (; i + 64 <= count; i += 64) {
        const __m512i at = _mm512_loadu_si512(places + i);
        const __m512i low = _mm512_permutex2var_epi8(first, at, second),
                      high = _mm512_permutex2var_epi8(third, at, fourth);
        _mm512_storeu_si512(to + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(at), low, high));
    }
    return i;
}

// The answers of the 16 tables, halved: those with this bit of the place, or those without.
template <int tables>
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i chosen(const __m256i *answers,
                                                                  __m256i places) {
    if constexpr (tables == 1) {
        return answers[0];
    } else {
        __m256i left[tables / 2];
        constexpr int bit = tables == 16 ? 3 : tables == 8 ? 2 : tables == 4 ? 1 : 0;
        const __m256i decides = _mm256_slli_epi16(places, bit); // each byte's highest bit does
        for (int k = 0; k < tables / 2; ++k)
            left[k] = _mm256_blendv_epi8(answers[2 * k], answers[2 * k + 1], decides);
        return chosen<tables / 2>(left, places);
    }
}

[[gnu::target("avx2")]] int64_t lookUpBy16(const uint8_t *table, const uint8_t *places, uint8_t *to,
                                           int64_t count) {
    __m256i tables[16];
    for (int k = 0; k < 16; ++k)
        tables[k] = _mm256_broadcastsi128_si256(
            _mm_loadu_si128(reinterpret_cast<const __m128i *>(table + 16 * k)));
    const __m256i lowest = _mm256_set1_epi8(15);
    int64_t i = 0;
    for (; i + 32 <= count; i += 32) {
        const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(places + i)),
                      inTable = _mm256_and_si256(at, lowest);
        __m256i answers[16];
        for (int k = 0; k < 16; ++k)
            answers[k] = _mm256_shuffle_epi8(tables[k], inTable);
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + i), chosen<16>(answers, at));
    }
    return i;
}

int64_t lookUpNone(const uint8_t *, const uint8_t *, uint8_t *, int64_t) { return 0; }

auto *bestLookUp() {
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi"))
        return lookUpVectors;
    return __builtin_cpu_supports("avx2") ? lookUpBy16 : lookUpNone;
}

} // namespace

void lookUp(const uint8_t *table, const uint8_t *places, uint8_t *to, int64_t count) {
    static auto *const vectors = bestLookUp();
    for (int64_t i = vectors(table, places, to, count); i < count; ++i)
        to[i] = table[places[i]];
}

} // namespace shapecast::runtime
