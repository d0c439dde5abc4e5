#include "runtime/narrow_product.h"

#include <algorithm>
#include <immintrin.h>

namespace shapecast::runtime {
namespace {

#define SC_AVX512 [[gnu::target("avx512f"), gnu::always_inline]] inline

struct Floats {
    using T = float;
    using V = __m512;
    static constexpr int lanes = 16;
    SC_AVX512 static V zero() { return _mm512_setzero_ps(); }
    SC_AVX512 static V load(uint32_t mask, const T *from) {
        return _mm512_maskz_loadu_ps(__mmask16(mask), from);
    }
    SC_AVX512 static V add(V a, V b) { return _mm512_add_ps(a, b); }
    SC_AVX512 static V multiplyAdd(T a, V b, V c) {
        return _mm512_fmadd_ps(_mm512_set1_ps(a), b, c);
    }
    SC_AVX512 static void store(uint32_t mask, T *to, V v) {
        _mm512_mask_storeu_ps(to, __mmask16(mask), v);
    }
};
struct Doubles {
    using T = double;
    using V = __m512d;
    static constexpr int lanes = 8;
    SC_AVX512 static V zero() { return _mm512_setzero_pd(); }
    SC_AVX512 static V load(uint32_t mask, const T *from) {
        return _mm512_maskz_loadu_pd(__mmask8(mask), from);
    }
    SC_AVX512 static V add(V a, V b) { return _mm512_add_pd(a, b); }
    SC_AVX512 static V multiplyAdd(T a, V b, V c) {
        return _mm512_fmadd_pd(_mm512_set1_pd(a), b, c);
    }
    SC_AVX512 static void store(uint32_t mask, T *to, V v) {
        _mm512_mask_storeu_pd(to, __mmask8(mask), v);
    }
};

template <class T> struct Operands {
    int64_t n, k;
    const T *a;
    int64_t aRow, aColumn;
    const T *b;
    int64_t bRow;
    T *c;
    int64_t cRow, cColumn;
};

// `rows` rows of c from `row` on, `vectors` vectors each.
template <class Kind, int rows, int vectors>
[[gnu::target("avx512f")]] void rowsOf(const Operands<typename Kind::T> &p, int64_t row) {
    using T = typename Kind::T;
    using V = typename Kind::V;
    constexpr int64_t block = 512;
    uint32_t masks[vectors];
    for (int v = 0; v < vectors; ++v)
        masks[v] = (1u << std::clamp<int64_t>(p.n - v * Kind::lanes, 0, Kind::lanes)) - 1;
    V totals[rows][vectors];
    for (auto &total : totals)
        for (V &v : total)
            v = Kind::zero();
    for (int64_t start = 0; start < p.k; start += block) {
        const int64_t end = std::min(p.k, start + block);
        V sums[rows][vectors];
        for (auto &sum : sums)
            for (V &v : sum)
                v = Kind::zero();
        const T *a = p.a + row * p.aRow + start * p.aColumn, *b = p.b + start * p.bRow;
        for (int64_t k = start; k < end; ++k, a += p.aColumn, b += p.bRow) {
            V right[vectors];
            for (int v = 0; v < vectors; ++v)
                right[v] = Kind::load(masks[v], b + v * Kind::lanes);
            for (int i = 0; i < rows; ++i)
                for (int v = 0; v < vectors; ++v)
                    sums[i][v] = Kind::multiplyAdd(a[i * p.aRow], right[v], sums[i][v]);
        }
        for (int i = 0; i < rows; ++i)
            for (int v = 0; v < vectors; ++v)
                totals[i][v] = Kind::add(totals[i][v], sums[i][v]);
    }
    for (int i = 0; i < rows; ++i) {
        T *to = p.c + (row + i) * p.cRow, apart[vectors * Kind::lanes];
        for (int v = 0; v < vectors; ++v)
            Kind::store(masks[v], p.cColumn == 1 ? to + v * Kind::lanes : apart + v * Kind::lanes,
                        totals[i][v]);
        for (int64_t j = 0; p.cColumn != 1 && j < p.n; ++j)
            to[j * p.cColumn] = apart[j];
    }
}

template <class Kind, int vectors> void allRows(const Operands<typename Kind::T> &p, int64_t m) {
    constexpr int most = vectors == 1 ? 8 : 6; // sums, totals and b's vectors fit the registers
    int64_t row = 0;
    for (; row + most <= m; row += most)
        rowsOf<Kind, most, vectors>(p, row);
    for (; row + 4 <= m; row += 4)
        rowsOf<Kind, 4, vectors>(p, row);
    for (; row + 2 <= m; row += 2)
        rowsOf<Kind, 2, vectors>(p, row);
    if (row < m)
        rowsOf<Kind, 1, vectors>(p, row);
}

template <class Kind> bool run(int64_t m, const Operands<typename Kind::T> &p) {
    static const bool supported = __builtin_cpu_supports("avx512f");
    if (!supported)
        return false;
    p.n <= Kind::lanes ? allRows<Kind, 1>(p, m)
                       : allRows<Kind, mostNarrowColumns / Kind::lanes>(p, m);
    return true;
}

} // namespace

bool narrowProduct(int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow, int64_t aColumn,
                   const float *b, int64_t bRow, float *c, int64_t cRow, int64_t cColumn) {
    return run<Floats>(m, {n, k, a, aRow, aColumn, b, bRow, c, cRow, cColumn});
}

bool narrowProduct(int64_t m, int64_t n, int64_t k, const double *a, int64_t aRow, int64_t aColumn,
                   const double *b, int64_t bRow, double *c, int64_t cRow, int64_t cColumn) {
    return run<Doubles>(m, {n, k, a, aRow, aColumn, b, bRow, c, cRow, cColumn});
}

} // namespace shapecast::runtime
