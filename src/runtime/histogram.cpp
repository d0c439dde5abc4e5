// Histograms with bins of equal width: sc_uniform_bins, sc_count_uniform (np.histogram).
//
// A block of numbers at a time, without branches: numbers outside of the range have an extra bin.
// Each bin has four counters, and consecutive numbers use different ones: an increment of the
// counter just incremented waits for store forwarding, or causes a memory-ordering machine clear.
#include "runtime/native.h"
#include "runtime/processor.h"
#include "runtime/symbols.h"

#include <algorithm>
#include <limits>

namespace shapecast::runtime {
namespace {

constexpr int64_t blockSize = 512, counters = 4;
constexpr int64_t maxBins = int64_t{1} << 20; // with four counters each

// As numpy/lib/_histograms_impl.py: by division, then corrected by comparison with the bin's edges;
// float32 in float64, too, where no range of theirs overflows. Int holds the number of bins.
template <class Int, class T>
[[gnu::always_inline]] inline void findBins(const T *numbers, int64_t count, const T *edges,
                                            int64_t bins, int64_t *found) {
    const T first = edges[0], last = edges[bins];
    const double from = first, width = double(last) - from, size = double(bins);
    Int whole[blockSize], outside[blockSize]; // outside: a mask, all bits set or none
    for (int64_t k = 0; k < count; ++k) {
        const double share = (double(numbers[k]) - from) / width * size;
        const bool isInside = (numbers[k] >= first) & (numbers[k] <= last);
        whole[k] = std::min(Int(isInside ? share : 0.0), Int(bins - 1));
        outside[k] = isInside ? 0 : -1;
    }
    for (int64_t k = 0; k < count; ++k) {
        const T x = numbers[k];
        const int64_t guess = whole[k], mask = outside[k];
        const int64_t up = (x >= edges[guess + 1]) & (guess != bins - 1);
        found[k] = ((guess + up - (x < edges[guess])) & ~mask) | (bins & mask);
    }
}

template <class T>
[[gnu::always_inline]] inline void findBins(const T *numbers, int64_t count, const T *edges,
                                            int64_t bins, int64_t *found) {
    if (bins < std::numeric_limits<int32_t>::max())
        findBins<int32_t>(numbers, count, edges, bins, found);
    else
        findBins<int64_t>(numbers, count, edges, bins, found);
}

template <class T>
using BinsOf = void (*)(const T *numbers, int64_t count, const T *edges, int64_t bins,
                        int64_t *found);

template <class T>
[[SC_TARGET("avx512f,avx512dq,avx512vl")]] void
binsBy512(const T *numbers, int64_t count, const T *edges, int64_t bins, int64_t *found) {
    findBins(numbers, count, edges, bins, found);
}
template <class T>
[[SC_TARGET("avx2")]] void binsBy256(const T *numbers, int64_t count, const T *edges, int64_t bins,
                                     int64_t *found) {
    findBins(numbers, count, edges, bins, found);
}
template <class T>
void binsByAny(const T *numbers, int64_t count, const T *edges, int64_t bins, int64_t *found) {
    findBins(numbers, count, edges, bins, found);
}

template <class T> BinsOf<T> bestBins() {
    if (SC_PROCESSOR_HAS("avx512dq") && SC_PROCESSOR_HAS("avx512vl"))
        return binsBy512<T>;
    return SC_PROCESSOR_HAS("avx2") ? binsBy256<T> : binsByAny<T>;
}

// use(first, count, found): the bins of `count` numbers from `first` on.
template <class T, class Use>
void forBlocks(const NativeArray &numbers, const NativeArray &edges, Use use) {
    static const BinsOf<T> binsOf = bestBins<T>();
    const auto *from = reinterpret_cast<const T *>(numbers.data);
    const auto *line = reinterpret_cast<const T *>(edges.data);
    const int64_t all = numbers.sizes[0], step = numbers.strides[0];
    T block[blockSize];
    int64_t found[blockSize];
    for (int64_t i = 0; i < all; i += blockSize) {
        const int64_t count = std::min(blockSize, all - i);
        const T *some = from + i;
        if (step != 1) {
            for (int64_t k = 0; k < count; ++k)
                block[k] = from[(i + k) * step];
            some = block;
        }
        binsOf(some, count, line, edges.sizes[0] - 1, found);
        use(i, count, found);
    }
}

template <class T>
void uniformBins(int64_t *to, const NativeArray &numbers, const NativeArray &edges) {
    forBlocks<T>(numbers, edges, [&](int64_t first, int64_t count, const int64_t *found) {
        std::copy(found, found + count, to + first);
    });
}

// `table` has each * (bins + 1) zeros: `each` counters per bin, the extra one included.
template <class T>
void countUniform(int64_t *table, int64_t each, const NativeArray &numbers,
                  const NativeArray &edges) {
    const int64_t bins = edges.sizes[0];
    forBlocks<T>(numbers, edges, [&](int64_t, int64_t count, const int64_t *found) {
        for (int64_t k = 0; k < count; ++k)
            ++table[(k & (each - 1)) * bins + found[k]];
    });
}

} // namespace

// (bins, numbers, edges): each number's bin; the number of bins where it is in none.
extern "C" int64_t sc_uniform_bins(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray bins = in.array(), numbers = in.array(), edges = in.array();
    auto *to = reinterpret_cast<int64_t *>(bins.data);
    if (numbers.dtype == 'f')
        uniformBins<float>(to, numbers, edges);
    else
        uniformBins<double>(to, numbers, edges);
    return 0;
}

// (counts, numbers, edges).
extern "C" int64_t sc_count_uniform(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray counts = in.array(), numbers = in.array(), edges = in.array();
    const int64_t bins = counts.sizes[0], each = bins <= maxBins ? counters : 1;
    const Scratch scratch(ctx, each * (bins + 1) * int64_t(sizeof(int64_t)));
    auto *table = reinterpret_cast<int64_t *>(scratch.get());
    if (!table)
        return nativeFails;
    std::fill(table, table + each * (bins + 1), 0);
    if (numbers.dtype == 'f')
        countUniform<float>(table, each, numbers, edges);
    else
        countUniform<double>(table, each, numbers, edges);
    auto *to = reinterpret_cast<int64_t *>(counts.data);
    for (int64_t b = 0; b < bins; ++b) {
        to[b] = 0;
        for (int64_t c = 0; c < each; ++c)
            to[b] += table[c * (bins + 1) + b];
    }
    return 0;
}

SymbolTable histogramSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_uniform_bins>(),
        symbolOf<&sc_count_uniform>(),
    };
    return table;
}

} // namespace shapecast::runtime
