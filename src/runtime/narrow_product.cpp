#include "runtime/narrow_product.h"
#include "runtime/threads.h"

#include <algorithm>
#include <type_traits>

// All of it is inlined into functions that have the instructions.
#define SC_INLINE [[gnu::always_inline]] inline

namespace shapecast::runtime {
namespace {

template <class T, int W> struct VectorOf {
    using Type = T __attribute__((ext_vector_type(W)));
    using Unaligned [[gnu::aligned(sizeof(T)), gnu::may_alias]] = Type;
    using Mask = bool __attribute__((ext_vector_type(W)));
};
template <class T, int W> using Vector = typename VectorOf<T, W>::Type;
template <int W> using Mask = typename VectorOf<int, W>::Mask;

template <class T> struct Operands {
    int64_t n, k;
    const T *a;
    int64_t aRow, aColumn;
    const T *b;
    int64_t bRow;
    T *c;
    int64_t cRow, cColumn;
};

// The lanes of a row's last vector. With AVX-512 they are a mask register; else a vector, and a
// loaded one, since code generation compares anew at each load what it sees to be a comparison.
template <class T, int W> struct Lanes {
    using Int = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    static constexpr bool isAvx512 = W * sizeof(T) == 64;
    static constexpr struct Table {
        Int lanes[2 * W] = {};
        constexpr Table() {
            for (int i = 0; i < W; ++i)
                lanes[i] = -1;
        }
    } table{};
    Vector<Int, W> negative;
    int64_t count;
    SC_INLINE explicit Lanes(int64_t count)
        : negative(*reinterpret_cast<const typename VectorOf<Int, W>::Unaligned *>(table.lanes + W -
                                                                                   count)),
          count(count) {}
    SC_INLINE void load(const T *from, Vector<T, W> &v) const {
        v = __builtin_masked_load(__builtin_convertvector(negative < 0, Mask<W>), from,
                                  Vector<T, W>(0));
    }
    // AVX2 stores under masks slowly (Zen): parts go element by element.
    SC_INLINE void store(T *to, Vector<T, W> v) const {
        if (count == W)
            *reinterpret_cast<typename VectorOf<T, W>::Unaligned *>(to) = v;
        else if constexpr (isAvx512)
            __builtin_masked_store(__builtin_convertvector(negative < 0, Mask<W>), v, to);
        else
            for (int i = 0; i < W; ++i)
                if (i < count)
                    to[i] = v[i];
    }
};

// `rows` rows of c from `row` on, `vectors` vectors of W elements each.
template <class T, int W, int rows, int vectors>
SC_INLINE void rowsOf(const Operands<T> &p, int64_t row) {
    using V = Vector<T, W>;
    constexpr int64_t block = 512;
    constexpr int last = vectors - 1;
    const Lanes<T, W> rest(p.n - last * W);
    V totals[rows][vectors] = {};
    for (int64_t start = 0; start < p.k; start += block) {
        const int64_t end = std::min(p.k, start + block);
        V sums[rows][vectors] = {};
        const T *a[rows], *b = p.b + start * p.bRow;
        for (int i = 0; i < rows; ++i) {
            a[i] = p.a + (row + i) * p.aRow;
            asm("" : "+r"(a[i])); // else each row's place is the sum of all before, one by one
        }
        for (int64_t k = start, at = start * p.aColumn; k < end; ++k, at += p.aColumn) {
            V right[vectors];
            for (int v = 0; v < last; ++v)
                right[v] = *reinterpret_cast<const typename VectorOf<T, W>::Unaligned *>(b + v * W);
            rest.load(b + last * W, right[last]);
            for (int i = 0; i < rows; ++i)
                for (int v = 0; v < vectors; ++v)
                    sums[i][v] = __builtin_elementwise_fma(V(a[i][at]), right[v], sums[i][v]);
            b += p.bRow;
        }
        for (int i = 0; i < rows; ++i)
            for (int v = 0; v < vectors; ++v)
                totals[i][v] += sums[i][v];
    }
    for (int i = 0; i < rows; ++i) {
        T *to = p.c + (row + i) * p.cRow, apart[vectors * W];
        T *here = p.cColumn == 1 ? to : apart;
        for (int v = 0; v < last; ++v)
            *reinterpret_cast<typename VectorOf<T, W>::Unaligned *>(here + v * W) = totals[i][v];
        rest.store(here + last * W, totals[i][last]);
        for (int64_t j = 0; p.cColumn != 1 && j < p.n; ++j)
            to[j * p.cColumn] = apart[j];
    }
}

// `most` rows at a time: their sums, a vector of b and an element of a are in registers.
template <class T, int W, int vectors, int most>
SC_INLINE void allRows(const Operands<T> &p, int64_t m) {
    int64_t row = 0;
    for (; row + most <= m; row += most)
        rowsOf<T, W, most, vectors>(p, row);
    for (; row + 4 <= m; row += 4)
        rowsOf<T, W, 4, vectors>(p, row);
    for (; row + 2 <= m; row += 2)
        rowsOf<T, W, 2, vectors>(p, row);
    if (row < m)
        rowsOf<T, W, 1, vectors>(p, row);
}

// Two vectors' columns after the others, where the processor has vectors of W elements.
template <class T, int W> SC_INLINE void allColumns(Operands<T> p, int64_t m) {
    for (int64_t left = p.n; left > 0; left -= 2 * W) {
        p.n = std::min<int64_t>(left, 2 * W);
        p.n <= W ? allRows<T, W, 1, 8>(p, m) : allRows<T, W, 2, 6>(p, m);
        p.b += 2 * W;
        p.c += 2 * W * p.cColumn;
    }
}

template <class T> [[gnu::target("avx512f")]] void withAvx512(const Operands<T> &p, int64_t m) {
    allColumns<T, 64 / sizeof(T)>(p, m);
}
template <class T> [[gnu::target("avx2,fma")]] void withAvx2(const Operands<T> &p, int64_t m) {
    allColumns<T, 32 / sizeof(T)>(p, m);
}

template <class T> struct Code {
    void (*run)(const Operands<T> &, int64_t m) = nullptr;
    int64_t leastColumns = 0; // of long products: fewer leave most of a vector empty
};
template <class T> Code<T> codeHere() {
    constexpr int64_t least = sizeof(T) == 4 ? 3 : 2;
    if (__builtin_cpu_supports("avx512f"))
        return {withAvx512<T>, least};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {withAvx2<T>, least};
    return {};
}

// Rows that one thread takes at least: whole groups of allRows().
constexpr int64_t rowsOfPart = 24;

template <class T> struct Shared {
    const Operands<T> &operands;
    int64_t m;
    void (*run)(const Operands<T> &, int64_t m);
};

template <class T> int32_t partOf(Context *, const int64_t *shared, int64_t from, int64_t to) {
    const auto &[operands, m, run] = *reinterpret_cast<const Shared<T> *>(shared);
    Operands<T> part = operands;
    part.a += from * rowsOfPart * part.aRow;
    part.c += from * rowsOfPart * part.cRow;
    run(part, std::min(m, to * rowsOfPart) - from * rowsOfPart);
    return 0;
}

template <class T> bool run(Context *ctx, int64_t m, const Operands<T> &p) {
    static const Code<T> code = codeHere<T>();
    constexpr int64_t longFrom = 64 * 64; // elements of a, from which on BLAS's start is paid for
    if (!code.run || (p.n < code.leastColumns && m * p.k > longFrom))
        return false;
    const Shared<T> shared{p, m, code.run};
    if (m * p.k * mostNarrowColumns < ctx->share)
        code.run(p, m);
    else
        sc_parallel_loop(ctx, partOf<T>, reinterpret_cast<const int64_t *>(&shared),
                         (m + rowsOfPart - 1) / rowsOfPart);
    return true;
}

} // namespace

bool narrowProduct(Context *ctx, int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow,
                   int64_t aColumn, const float *b, int64_t bRow, float *c, int64_t cRow,
                   int64_t cColumn) {
    return run<float>(ctx, m, {n, k, a, aRow, aColumn, b, bRow, c, cRow, cColumn});
}

bool narrowProduct(Context *ctx, int64_t m, int64_t n, int64_t k, const double *a, int64_t aRow,
                   int64_t aColumn, const double *b, int64_t bRow, double *c, int64_t cRow,
                   int64_t cColumn) {
    return run<double>(ctx, m, {n, k, a, aRow, aColumn, b, bRow, c, cRow, cColumn});
}

} // namespace shapecast::runtime
