#include "runtime/narrow_product.h"
#include "runtime/processor.h"
#include "runtime/threads.h"

#include <algorithm>
#include <type_traits>
#include <utility>

// All of it is inlined into functions with the target attribute.
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

// The mask of a row's last vector. With AVX-512 it is a mask register; else a vector, loaded from a
// table: LLVM would sink a comparison to each masked load, and compute it again there.
template <class T, int W> struct TailMask {
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
    SC_INLINE explicit TailMask(int64_t count)
        : negative(*reinterpret_cast<const typename VectorOf<Int, W>::Unaligned *>(table.lanes + W -
                                                                                   count)),
          count(count) {}
    SC_INLINE void load(const T *from, Vector<T, W> &v) const {
        v = __builtin_masked_load(__builtin_convertvector(negative < 0, Mask<W>), from,
                                  Vector<T, W>(0));
    }
    // AVX2's masked stores are slow (Zen): partial vectors are stored element by element.
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
    const TailMask<T, W> rest(p.n - last * W);
    V totals[rows][vectors] = {};
    for (int64_t start = 0; start < p.k; start += block) {
        const int64_t end = std::min(p.k, start + block);
        V sums[rows][vectors] = {};
        const T *a[rows], *b = p.b + start * p.bRow;
        for (int i = 0; i < rows; ++i) {
            a[i] = p.a + (row + i) * p.aRow;
            asm("" : "+r"(a[i])); // else LLVM computes each address from the one before
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
        T *to = p.c + (row + i) * p.cRow, buffer[vectors * W];
        T *here = p.cColumn == 1 ? to : buffer;
        for (int v = 0; v < last; ++v)
            *reinterpret_cast<typename VectorOf<T, W>::Unaligned *>(here + v * W) = totals[i][v];
        rest.store(here + last * W, totals[i][last]);
        for (int64_t j = 0; p.cColumn != 1 && j < p.n; ++j)
            to[j * p.cColumn] = buffer[j];
    }
}

// Register tiles of `tileRows` rows: their sums, a vector of b, an element of a are in registers.
template <class T, int W, int vectors, int tileRows>
SC_INLINE void allRows(const Operands<T> &p, int64_t m) {
    int64_t row = 0;
    for (; row + tileRows <= m; row += tileRows)
        rowsOf<T, W, tileRows, vectors>(p, row);
    for (; row + 4 <= m; row += 4)
        rowsOf<T, W, 4, vectors>(p, row);
    for (; row + 2 <= m; row += 2)
        rowsOf<T, W, 2, vectors>(p, row);
    if (row < m)
        rowsOf<T, W, 1, vectors>(p, row);
}

// Two vectors of columns at a time, where the processor has vectors of W elements.
template <class T, int W> SC_INLINE void allColumns(Operands<T> p, int64_t m) {
    for (int64_t left = p.n; left > 0; left -= 2 * W) {
        p.n = std::min<int64_t>(left, 2 * W);
        p.n <= W ? allRows<T, W, 1, 8>(p, m) : allRows<T, W, 2, 6>(p, m);
        p.b += 2 * W;
        p.c += 2 * W * p.cColumn;
    }
}

//===-- Half a vector's columns or fewer

// Several terms of each sum go into a vector: lane j * terms + t has a[i, k + t] * b[k + t, j]. So
// one load of a, repeated along the vector, and one FMA compute as many terms.
template <class T, int W, int columns> struct Terms {
    static constexpr int count = W / columns;
    static constexpr int64_t block = 512; // terms that are summed before they are added to c
    using V = Vector<T, W>;
    using Part = Vector<T, count>;

    alignas(64) T packed[block * columns];

    // Packs b's rows from `start` on, padded with zeros: columns, and terms.
    SC_INLINE void pack(const Operands<T> &p, int64_t start, int64_t terms) {
        for (int64_t k = 0; k < (terms + count - 1) / count * count; ++k)
            for (int64_t j = 0; j < columns; ++j)
                packed[k / count * W + j * count + k % count] =
                    k < terms && j < p.n ? p.b[(start + k) * p.bRow + j] : T(0);
    }
    template <size_t... lane> SC_INLINE static V repeated(Part a, std::index_sequence<lane...>) {
        return __builtin_shufflevector(a, a, int(lane % count)...);
    }
    template <int step, size_t... lane>
    SC_INLINE static V xorShuffled(V sums, std::index_sequence<lane...>) {
        return __builtin_shufflevector(sums, sums, int(lane ^ step)...);
    }
    template <size_t... lane> SC_INLINE static V firsts(V v, std::index_sequence<lane...>) {
        return __builtin_shufflevector(v, v, int(lane * count % W)...);
    }
    SC_INLINE static V reduced(V sums) { // lane j: the sum of column j; other lanes are unused
        constexpr auto lanes = std::make_index_sequence<W>();
        if constexpr (count >= 8)
            sums += xorShuffled<4>(sums, lanes);
        if constexpr (count >= 4)
            sums += xorShuffled<2>(sums, lanes);
        sums += xorShuffled<1>(sums, lanes);
        return firsts(sums, lanes);
    }
    // Stores a row of c, or adds to it.
    SC_INLINE static void store(const Operands<T> &p, const TailMask<T, W> &all, T *to, V sums,
                                bool isFirst) {
        if (all.isAvx512 && p.cColumn == 1) {
            V before = {};
            if (!isFirst)
                all.load(to, before);
            return all.store(to, before + sums);
        }
        for (int64_t j = 0; j < p.n; ++j, to += p.cColumn)
            *to = isFirst ? sums[j] : *to + sums[j];
    }

    template <int rows>
    SC_INLINE void rowsOf(const Operands<T> &p, int64_t row, int64_t start, int64_t terms) const {
        constexpr auto lanes = std::make_index_sequence<W>();
        using Load = typename VectorOf<T, count>::Unaligned;
        V sums[rows] = {};
        const T *a[rows];
        for (int i = 0; i < rows; ++i) {
            a[i] = p.a + (row + i) * p.aRow + start;
            asm("" : "+r"(a[i])); // else LLVM computes each address from the one before
        }
        const V *right = reinterpret_cast<const V *>(packed);
        int64_t k = 0;
        for (; k + count <= terms; k += count, ++right)
            for (int i = 0; i < rows; ++i) {
                const V left = repeated(*reinterpret_cast<const Load *>(a[i] + k), lanes);
                sums[i] = __builtin_elementwise_fma(left, *right, sums[i]);
            }
        for (int i = 0; k < terms && i < rows; ++i) { // nothing is read beyond the row
            Part rest = {};
            for (int64_t t = 0; t < terms - k; ++t)
                rest[t] = a[i][k + t];
            sums[i] = __builtin_elementwise_fma(repeated(rest, lanes), *right, sums[i]);
        }
        const TailMask<T, W> all(p.n);
        for (int i = 0; i < rows; ++i)
            store(p, all, p.c + (row + i) * p.cRow, reduced(sums[i]), start == 0);
    }
    SC_INLINE void run(const Operands<T> &p, int64_t m) {
        for (int64_t start = 0; start < p.k; start += block) {
            const int64_t terms = std::min(p.k - start, block);
            pack(p, start, terms);
            int64_t row = 0;
            for (; row + 8 <= m; row += 8)
                rowsOf<8>(p, row, start, terms);
            for (; row < m; ++row)
                rowsOf<1>(p, row, start, terms);
        }
    }
};

template <class T, int W> SC_INLINE void allTerms(const Operands<T> &p, int64_t m) {
    if constexpr (W == 16)
        if (p.n <= 2)
            return Terms<T, W, 2>().run(p, m);
    if constexpr (W >= 8)
        if (p.n <= W / 4)
            return Terms<T, W, W / 4>().run(p, m);
    Terms<T, W, W / 2>().run(p, m);
}

//===-- Dispatch on the processor's features

template <class T> [[SC_TARGET("avx512f")]] void withAvx512(const Operands<T> &p, int64_t m) {
    allColumns<T, 64 / sizeof(T)>(p, m);
}
template <class T> [[SC_TARGET("avx512f")]] void termsAvx512(const Operands<T> &p, int64_t m) {
    allTerms<T, 64 / sizeof(T)>(p, m);
}
template <class T> [[SC_TARGET("avx2,fma")]] void withAvx2(const Operands<T> &p, int64_t m) {
    allColumns<T, 32 / sizeof(T)>(p, m);
}
template <class T> [[SC_TARGET("avx2,fma")]] void termsAvx2(const Operands<T> &p, int64_t m) {
    allTerms<T, 32 / sizeof(T)>(p, m);
}

template <class T> using Run = void (*)(const Operands<T> &, int64_t m);
template <class T> struct Code {
    Run<T> columns = nullptr, terms = nullptr;
    int64_t lanes = 0;
};
template <class T> Code<T> codeForProcessor() {
    if (SC_PROCESSOR_HAS("avx512f"))
        return {withAvx512<T>, termsAvx512<T>, 64 / sizeof(T)};
    if (SC_PROCESSOR_HAS("avx2") && SC_PROCESSOR_HAS("fma"))
        return {withAvx2<T>, termsAvx2<T>, 32 / sizeof(T)};
    return {};
}

// Null: BLAS is faster. Chosen by the whole product's sizes, so that results do not depend on the
// number of threads.
template <class T> Run<T> bestFor(const Operands<T> &p, int64_t m) {
    static const Code<T> code = codeForProcessor<T>();
    constexpr int64_t minPackedRows = 32;        // from here on packing b is amortised
    constexpr int64_t minBlasElements = 64 * 64; // of a, from here on a BLAS call's overhead is
    if (p.aColumn == 1 && m >= minPackedRows && p.n <= code.lanes / 2)
        return code.terms;
    return sizeof(T) == 4 && p.n == 2 && m * p.k > minBlasElements ? nullptr : code.columns;
}

// Granularity of parallel chunks, in rows: whole tiles of allRows().
constexpr int64_t rowsPerChunk = 24;

template <class T> struct Shared {
    const Operands<T> &operands;
    int64_t m;
    Run<T> run;
};

template <class T> int32_t runChunk(Context *, const int64_t *shared, int64_t from, int64_t to) {
    const auto &[operands, m, run] = *reinterpret_cast<const Shared<T> *>(shared);
    Operands<T> part = operands;
    part.a += from * rowsPerChunk * part.aRow;
    part.c += from * rowsPerChunk * part.cRow;
    run(part, std::min(m, to * rowsPerChunk) - from * rowsPerChunk);
    return 0;
}

template <class T> bool run(Context *ctx, int64_t m, const Operands<T> &p) {
    const Run<T> best = bestFor(p, m);
    if (!best)
        return false;
    const Shared<T> shared{p, m, best};
    if (m * p.k * maxNarrowColumns < ctx->minParallelWork)
        best(p, m);
    else
        sc_parallel_loop(ctx, runChunk<T>, reinterpret_cast<const int64_t *>(&shared),
                         (m + rowsPerChunk - 1) / rowsPerChunk);
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
