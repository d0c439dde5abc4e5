// Matrix products: tiles of c through shared memory, and two forms for matrix @ vector.
//
// Products of floats are fused into the sums, as BLAS does on the host. Sums are taken in an order
// that depends on the sizes and strides alone.
#include "kernels/product.h"

#include "kernels/device.h"

namespace shapecast::kernels {
namespace {

//===-- Numbers: how an element is stored, and what sums are taken in

// In memory a number is aligned as its parts are; in shared memory both are one access.
template <class Real> struct Complex {
    Real re, im;
};
template <class Real> struct alignas(2 * sizeof(Real)) WholeComplex {
    Real re, im;
};

template <class Stored_, class Work_> struct Plain {
    using Stored = Stored_;
    using Work = Work_;
    static constexpr int tileDepth = sizeof(Stored) == 1 ? 8 : 16;
    SC_INLINE static Work load(Stored x) { return Work(x); }
    SC_INLINE static Stored store(Work x) { return Stored(x); }
    SC_INLINE static Work plus(Work x, Work y) { return x + y; }
    SC_INLINE static Work add(Work sum, Work x, Work y) {
        if constexpr (__is_floating_point(Work))
            return __builtin_elementwise_fma(x, y, sum);
        else
            return sum + x * y; // modulo the width, signed or not
    }
};

struct Bool {
    using Stored = uint8_t;
    using Work = uint32_t;
    static constexpr int tileDepth = 8;
    SC_INLINE static Work load(Stored x) { return x != 0; }
    SC_INLINE static Stored store(Work x) { return Stored(x); }
    SC_INLINE static Work plus(Work x, Work y) { return x | y; }
    SC_INLINE static Work add(Work sum, Work x, Work y) { return sum | (x & y); }
};

template <class Real> struct OfComplex {
    using Stored = Complex<Real>;
    using Work = WholeComplex<Real>;
    static constexpr int tileDepth = 8;
    SC_INLINE static Work load(Stored x) { return {x.re, x.im}; }
    SC_INLINE static Stored store(Work x) { return {x.re, x.im}; }
    SC_INLINE static Work plus(Work x, Work y) { return {x.re + y.re, x.im + y.im}; }
    SC_INLINE static Work add(Work sum, Work x, Work y) {
        return {
            __builtin_elementwise_fma(-x.im, y.im, __builtin_elementwise_fma(x.re, y.re, sum.re)),
            __builtin_elementwise_fma(x.im, y.re, __builtin_elementwise_fma(x.re, y.im, sum.im))};
    }
};

template <class N> using Stored = typename N::Stored;
template <class N> using Work = typename N::Work;

SC_INLINE int64_t least(int64_t x, int64_t y) { return x < y ? x : y; }
SC_INLINE int64_t size(int64_t x) { return x < 0 ? -x : x; }

//===-- Which part of which matrix

// The matrices of one position of the stack, and the terms of one part.
template <class N> struct Item {
    const Stored<N> *a, *b;
    Stored<N> *c;
    Work<N> *partial; // instead of c; null: there is one part
    int64_t terms;

    // `number` counts matrices, and parts of all of them. a and b are at the part's first term.
    SC_INLINE Item(const Product &p, int64_t number) {
        const int64_t part = p.parts == 1 ? 0 : number / p.matrices;
        int64_t at[3];
        p.stack.offsets(number - part * p.matrices, at);
        const int64_t first = part * p.partDepth;
        a = reinterpret_cast<const Stored<N> *>(p.a) + at[0] + first * p.aColumn;
        b = reinterpret_cast<const Stored<N> *>(p.b) + at[1] + first * p.bRow;
        c = reinterpret_cast<Stored<N> *>(p.c) + at[2];
        partial = p.parts == 1
                      ? nullptr
                      : reinterpret_cast<Work<N> *>(p.partials) + number * p.rows * p.columns;
        terms = least(p.partDepth, p.depth - first);
    }
    SC_INLINE void store(const Product &p, int64_t row, int64_t column, Work<N> sum) const {
        if (partial)
            partial[row * p.columns + column] = sum;
        else
            c[row * p.cRow + column * p.cColumn] = N::store(sum);
    }
};

//===-- Tiles

constexpr int side = 16; // threads along a tile's rows, and along its columns

// A thread has `each` x `each` elements of a tile, `side` apart: so a warp's loads of shared memory
// are of adjacent words, or of one, and its stores of adjacent elements.
template <class N, int each> struct Tiles {
    static constexpr int tile = side * each;
    // Terms that are in shared memory at a time: as many as there are registers for.
    static constexpr int tileDepth = N::tileDepth;
    // Lanes that go along the depth write to different banks (128 bytes at a time).
    static constexpr int pitch = tile + 128 / int(sizeof(Work<N>)) / tileDepth;
    static constexpr int words = tileDepth * pitch;
    static constexpr int perThread = tile * tileDepth / blockThreads;
    using Shared = __attribute__((address_space(3))) Work<N> *;

    // A tile of an operand on its way from global to shared memory: so the next one is loaded while
    // this one is multiplied. Lanes go along the axis whose elements are closer together.
    struct Operand {
        const Stored<N> *from; // the thread's first element
        int64_t step, advance; // to its next element; to the next tile
        int across, deep, acrossStep, deepStep, limit;
        Work<N> held[perThread];

        // `count` of the operand's rows (or columns) are left.
        SC_INLINE Operand(const Stored<N> *data, int64_t alongTile, int64_t alongDepth,
                          int64_t count) {
            const bool goesDeep = size(alongDepth) < size(alongTile);
            deep = goesDeep ? thread() % tileDepth : thread() / tile;
            across = goesDeep ? thread() / tileDepth : thread() % tile;
            deepStep = goesDeep ? 0 : blockThreads / tile;
            acrossStep = goesDeep ? blockThreads / tileDepth : 0;
            from = data + across * alongTile + deep * alongDepth;
            step = goesDeep ? acrossStep * alongTile : deepStep * alongDepth;
            advance = tileDepth * alongDepth;
            limit = int(least(count, tile));
        }
        // `count` terms are left.
        SC_INLINE void load(int64_t count) {
            const int end = int(least(count, tileDepth));
#pragma unroll
            for (int k = 0; k < perThread; ++k)
                held[k] = across + k * acrossStep < limit && deep + k * deepStep < end
                              ? N::load(from[k * step])
                              : Work<N>{};
            from += advance;
        }
        SC_INLINE void share(Shared to) const {
#pragma unroll
            for (int k = 0; k < perThread; ++k)
                to[(deep + k * deepStep) * pitch + across + k * acrossStep] = held[k];
        }
    };

    SC_INLINE static void multiply(Shared a, Shared b, Work<N> (&sums)[each][each]) {
        const int row = thread() / side, column = thread() % side;
#pragma unroll 2
        for (int k = 0; k < tileDepth; ++k) {
            Work<N> left[each], right[each];
#pragma unroll
            for (int i = 0; i < each; ++i)
                left[i] = a[k * pitch + row + i * side];
#pragma unroll
            for (int j = 0; j < each; ++j)
                right[j] = b[k * pitch + column + j * side];
#pragma unroll
            for (int i = 0; i < each; ++i)
#pragma unroll
                for (int j = 0; j < each; ++j)
                    sums[i][j] = N::add(sums[i][j], left[i], right[j]);
        }
    }

    SC_INLINE static void one(const Product &p, const Item<N> &item, int64_t row0, int64_t column0,
                              Shared sharedA, Shared sharedB) {
        Operand a(item.a + row0 * p.aRow, p.aRow, p.aColumn, p.rows - row0);
        Operand b(item.b + column0 * p.bColumn, p.bColumn, p.bRow, p.columns - column0);
        Work<N> sums[each][each] = {};
        int64_t left = item.terms;
        a.load(left);
        b.load(left);
        for (; left > 0; left -= tileDepth) {
            barrier(); // nobody reads the tiles before any more
            a.share(sharedA);
            b.share(sharedB);
            barrier();
            a.load(left - tileDepth);
            b.load(left - tileDepth);
            multiply(sharedA, sharedB, sums);
        }
#pragma unroll
        for (int i = 0; i < each; ++i)
#pragma unroll
            for (int j = 0; j < each; ++j) {
                const int64_t row = row0 + thread() / side + i * side,
                              column = column0 + thread() % side + j * side;
                if (row < p.rows && column < p.columns)
                    item.store(p, row, column, sums[i][j]);
            }
    }

    SC_INLINE static void all(const Product &p, Shared sharedA, Shared sharedB) {
        const int64_t down = (p.rows + tile - 1) / tile, across = (p.columns + tile - 1) / tile;
        const int64_t count = down * across * p.matrices * p.parts;
        for (int64_t number = block(); number < count; number += blocks()) {
            const int64_t matrix = number / (down * across), place = number % (down * across);
            one(p, Item<N>(p, matrix), place / across * tile, place % across * tile, sharedA,
                sharedB);
        }
    }
};

//===-- matrix @ vector: c has one column

// A warp a row, its lanes along it: where a row's elements are adjacent.
template <class N> SC_INLINE void rowProducts(const Product &p) {
    constexpr int sums = 4; // at a time, that do not wait for each other
    const int64_t count = p.rows * p.matrices * p.parts;
    for (int64_t number = block() * blockWarps + warp(); number < count;
         number += blocks() * blockWarps) {
        const int64_t row = number % p.rows;
        const Item<N> item(p, number / p.rows);
        const Stored<N> *a = item.a + row * p.aRow;
        Work<N> sum[sums] = {};
        for (int64_t k = lane(); k < item.terms; k += sums * warpLanes)
#pragma unroll
            for (int s = 0; s < sums; ++s) {
                const int64_t at = k + s * warpLanes;
                if (at < item.terms)
                    sum[s] =
                        N::add(sum[s], N::load(a[at * p.aColumn]), N::load(item.b[at * p.bRow]));
            }
        Work<N> total = N::plus(N::plus(sum[0], sum[1]), N::plus(sum[2], sum[3]));
        for (int bits = warpLanes / 2; bits > 0; bits /= 2)
            total = N::plus(total, fromLaneXor(total, bits));
        if (lane() == 0)
            item.store(p, row, 0, total);
    }
}

// The lanes of each warp along 32 rows, its warps along their terms: where a column's elements are
// adjacent.
template <class N>
SC_INLINE void columnProducts(const Product &p, __attribute__((address_space(3))) Work<N> *shared) {
    const int64_t groups = (p.rows + warpLanes - 1) / warpLanes;
    const int64_t count = groups * p.matrices * p.parts;
    for (int64_t number = block(); number < count; number += blocks()) {
        const int64_t row = number % groups * warpLanes + lane();
        const Item<N> item(p, number / groups);
        Work<N> sum = {};
        if (row < p.rows)
            for (int64_t k = warp(); k < item.terms; k += blockWarps)
                sum = N::add(sum, N::load(item.a[row * p.aRow + k * p.aColumn]),
                             N::load(item.b[k * p.bRow]));
        barrier(); // the first warp has read those before
        shared[thread()] = sum;
        barrier();
        if (warp() > 0 || row >= p.rows)
            continue;
        for (int w = 1; w < blockWarps; ++w)
            sum = N::plus(sum, shared[w * warpLanes + lane()]);
        item.store(p, row, 0, sum);
    }
}

//===-- The sum of parts

template <class N> SC_INLINE void sumOfParts(const Product &p) {
    const int64_t elements = p.matrices * p.rows * p.columns;
    for (int64_t number = threadOfAll(); number < elements; number += allThreads()) {
        const Work<N> *part = reinterpret_cast<const Work<N> *>(p.partials) + number;
        Work<N> sum = *part;
        for (int64_t k = 1; k < p.parts; ++k)
            sum = N::plus(sum, part[k * elements]);
        const int64_t matrix = number / (p.rows * p.columns), place = number % (p.rows * p.columns);
        int64_t at[3];
        p.stack.offsets(matrix, at);
        reinterpret_cast<Stored<N> *>(
            p.c)[at[2] + place / p.columns * p.cRow + place % p.columns * p.cColumn] =
            N::store(sum);
    }
}

} // namespace

#define SC_TILES(name, each, ...)                                                                  \
    SC_KERNEL name(Product p) {                                                                    \
        using Form = Tiles<__VA_ARGS__, each>;                                                     \
        SC_SHARED Work<__VA_ARGS__> a[Form::words], b[Form::words];                                \
        Form::all(p, a, b);                                                                        \
    }
#define SC_PRODUCTS(type, ...)                                                                     \
    SC_TILES(sc_product_##type, 4, __VA_ARGS__)                                                    \
    SC_KERNEL sc_row_products_##type(Product p) { rowProducts<__VA_ARGS__>(p); }                   \
    SC_KERNEL sc_column_products_##type(Product p) {                                               \
        SC_SHARED Work<__VA_ARGS__> shared[blockThreads];                                          \
        columnProducts<__VA_ARGS__>(p, shared);                                                    \
    }                                                                                              \
    SC_KERNEL sc_product_sum_##type(Product p) { sumOfParts<__VA_ARGS__>(p); }

// By the dtype's character; integers by their size.
SC_PRODUCTS(bool, Bool)
SC_PRODUCTS(1, Plain<uint8_t, uint32_t>)
SC_PRODUCTS(2, Plain<uint16_t, uint32_t>)
SC_PRODUCTS(4, Plain<uint32_t, uint32_t>)
SC_PRODUCTS(8, Plain<uint64_t, uint64_t>)
SC_PRODUCTS(e, Plain<_Float16, float>)
SC_PRODUCTS(f, Plain<float, float>)
SC_PRODUCTS(d, Plain<double, double>)
SC_PRODUCTS(F, OfComplex<float>)
SC_PRODUCTS(D, OfComplex<double>)
// For large matrices of float32: more products for each word of shared memory.
SC_TILES(sc_product_large_f, 8, Plain<float, float>)

} // namespace shapecast::kernels
