// Tables of bytes: see the header. A table of 256 stands in four registers of AVX-512 (VBMI), where
// 64 bytes are looked up by three operations; one by one from memory it takes ten times as long.
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

} // namespace

void lookUp(const uint8_t *table, const uint8_t *places, uint8_t *to, int64_t count) {
    static const bool hasVectors =
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
    int64_t i = hasVectors ? lookUpVectors(table, places, to, count) : 0;
    for (; i < count; ++i)
        to[i] = table[places[i]];
}

} // namespace shapecast::runtime
