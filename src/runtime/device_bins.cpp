// np.bincount, np.histogram, np.add.at and its like on a device: the launches of kernels/bins.h and
// kernels/at.h.
#include "kernels/at.h"
#include "kernels/bins.h"
#include "runtime/device_kernels.h"

namespace shapecast::runtime {
namespace {

using kernels::At;
using kernels::Bins;

// Blocks add what they have counted: fewer do that less often.
int64_t countingBlocks(const Bins &p) {
    return p.bins <= kernels::sharedBins ? std::min<int64_t>(blocksFor(p.count), 512)
                                         : blocksFor(p.count);
}

Bins binsOf(const NativeArray &numbers) {
    Bins p{};
    p.numbers = numbers.data;
    p.count = numbers.sizes[0];
    p.numberStep = numbers.strides[0];
    p.kind = numbers.dtype;
    return p;
}

int64_t count(Context *ctx, Bins p, const NativeArray &counts, int64_t kernel) {
    p.counts = reinterpret_cast<int64_t *>(counts.data);
    p.countStep = counts.strides[0];
    p.bins = counts.sizes[0];
    if (p.count == 0 || p.bins == 0)
        return 0;
    return launchKernel(ctx, kernel, p, countingBlocks(p)) ? nativeFails : 0;
}

void setEdges(Bins &p, const NativeArray &edges) {
    p.edges = edges.data;
    p.edgeStep = edges.strides[0];
    p.bins = edges.sizes[0] - 1;
}

// The rows of a by their number, and what a row and a row of b have.
At rowsOf(const NativeArray &a, const NativeArray &places, const NativeArray &b) {
    At p{};
    p.base = a.data;
    p.other = b.data;
    p.places = reinterpret_cast<const int64_t *>(places.data);
    p.placeStep = places.strides[0];
    p.count = places.sizes[0];
    p.otherStep = b.strides[0];
    p.rows = p.rowElements = 1;
    const int64_t indexed = a.rank - (b.rank - 1);
    for (int64_t d = 0; d < a.rank; ++d) {
        if (d < indexed) {
            p.rows *= a.sizes[d];
            p.ofPlaces.sizes[p.ofPlaces.rank] = a.sizes[d];
            p.ofPlaces.strides[0][p.ofPlaces.rank++] = a.strides[d];
        } else {
            p.rowElements *= a.sizes[d];
            p.ofRow.sizes[p.ofRow.rank] = a.sizes[d];
            p.ofRow.strides[0][p.ofRow.rank] = a.strides[d];
            p.ofRow.strides[1][p.ofRow.rank++] = b.strides[1 + d - indexed];
        }
    }
    return p;
}

int64_t launchRows(Context *ctx, const At &p, int64_t kernel) {
    const int64_t elements = p.count * p.rowElements;
    if (elements == 0 || p.rows == 0)
        return 0;
    return launchKernel(ctx, kernel, p, blocksFor(elements)) ? nativeFails : 0;
}

} // namespace

// (counts, bins): one more for each bin. What is no index of `counts` is not counted.
extern "C" int64_t sc_device_count_bins(Context *ctx, const int64_t *slots,
                                        const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray counts = in.array(), bins = in.array();
    return count(ctx, binsOf(bins), counts, kernels[0]);
}

// (counts, numbers, edges): one more for each number in a bin.
extern "C" int64_t sc_device_count_numbers(Context *ctx, const int64_t *slots,
                                           const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray counts = in.array(), numbers = in.array(), edges = in.array();
    Bins p = binsOf(numbers);
    setEdges(p, edges);
    return count(ctx, p, counts, kernels[0]);
}

// (bins, numbers, edges)
extern "C" int64_t sc_device_uniform_bins(Context *ctx, const int64_t *slots,
                                          const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray bins = in.array(), numbers = in.array(), edges = in.array();
    Bins p = binsOf(numbers);
    setEdges(p, edges);
    p.found = reinterpret_cast<int64_t *>(bins.data);
    p.foundStep = bins.strides[0];
    if (p.count == 0)
        return 0;
    return launchKernel(ctx, kernels[0], p, blocksFor(p.count)) ? nativeFails : 0;
}

// (a, places, order, b): a[place] = a[place] op b[position], in the order of positions. They are
// sorted by place in `order`, as a stable sort does. `a` has few axes; those that b has not beside
// its first are counted by `places`. What is no place in `a` is skipped.
int64_t sc_device_at(Context *ctx, const int64_t *slots, const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray a = in.array(), places = in.array(), order = in.array(), b = in.array();
    At p = rowsOf(a, places, b);
    p.order = reinterpret_cast<const int64_t *>(order.data);
    p.orderStep = order.strides[0];
    return launchRows(ctx, p, kernels[0]);
}

// (a, places, b): the same with sums of integers, in any order.
extern "C" int64_t sc_device_sum_at(Context *ctx, const int64_t *slots, const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray a = in.array(), places = in.array(), b = in.array();
    return launchRows(ctx, rowsOf(a, places, b), kernels[0]);
}

} // namespace shapecast::runtime
