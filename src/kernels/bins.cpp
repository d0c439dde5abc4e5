// Counting into bins: np.bincount, np.histogram. Counts of a block are in shared memory, if they
// fit, and added to those of all at its end: sums of integers are the same in any order.
#include "kernels/bins.h"

#include "kernels/device.h"
#include "kernels/integers.h"

namespace shapecast::kernels {
namespace {

using SharedCounts = __attribute__((address_space(3))) int32_t *;

template <class T> SC_INLINE T edgeAt(const Bins &p, int64_t k) {
    return reinterpret_cast<const T *>(p.edges)[k * p.edgeStep];
}

// As the host's (runtime/histogram.cpp): by division, then corrected by comparison with the edges.
template <class T> SC_INLINE int64_t uniformBin(const Bins &p, int64_t i) {
    const T number = reinterpret_cast<const T *>(p.numbers)[i * p.numberStep];
    const T first = edgeAt<T>(p, 0), last = edgeAt<T>(p, p.bins);
    if (!(number >= first && number <= last))
        return p.bins;
    const double share = (double(number) - first) / (double(last) - first) * double(p.bins);
    const int64_t guess = share < double(p.bins) ? int64_t(share) : p.bins - 1;
    const bool isAbove = number >= edgeAt<T>(p, guess + 1) && guess != p.bins - 1;
    return guess + isAbove - (number < edgeAt<T>(p, guess));
}

template <class BinOf> SC_INLINE void countBins(const Bins &p, SharedCounts shared, BinOf binOf) {
    if (p.bins > sharedBins) {
        for (int64_t i = threadOfAll(); i < p.count; i += allThreads()) {
            const int64_t bin = binOf(i);
            if (uint64_t(bin) < uint64_t(p.bins))
                __atomic_fetch_add(p.counts + bin * p.countStep, 1, __ATOMIC_RELAXED);
        }
        return;
    }
    for (int64_t bin = thread(); bin < p.bins; bin += blockThreads)
        shared[bin] = 0;
    barrier();
    for (int64_t i = threadOfAll(); i < p.count; i += allThreads()) {
        const int64_t bin = binOf(i);
        if (uint64_t(bin) < uint64_t(p.bins))
            __atomic_fetch_add(shared + bin, 1, __ATOMIC_RELAXED);
    }
    barrier();
    for (int64_t bin = thread(); bin < p.bins; bin += blockThreads)
        if (shared[bin])
            __atomic_fetch_add(p.counts + bin * p.countStep, shared[bin], __ATOMIC_RELAXED);
}

} // namespace

SC_KERNEL sc_bins_count(Bins p) {
    SC_SHARED int32_t shared[sharedBins];
    countBins(p, shared, [&](int64_t i) { return integerAt(p.numbers, p.kind, i * p.numberStep); });
}

// By the dtype's character.
#define SC_UNIFORM(type, T)                                                                        \
    SC_KERNEL sc_bins_uniform_##type(Bins p) {                                                     \
        SC_SHARED int32_t shared[sharedBins];                                                      \
        countBins(p, shared, [&](int64_t i) { return uniformBin<T>(p, i); });                      \
    }                                                                                              \
    SC_KERNEL sc_bins_find_##type(Bins p) {                                                        \
        for (int64_t i = threadOfAll(); i < p.count; i += allThreads())                            \
            p.found[i * p.foundStep] = uniformBin<T>(p, i);                                        \
    }
SC_UNIFORM(f, float)
SC_UNIFORM(d, double)

} // namespace shapecast::kernels
