// What combines elements on a device: scans, counts in bins, and np.add.at and its like; the
// launches of kernels/scan.h, bins.h and at.h.
#include "kernels/at.h"
#include "kernels/bins.h"
#include "kernels/scan.h"
#include "runtime/device_kernels.h"

#include <cstdlib>

namespace shapecast::runtime {

//===-- Scans

namespace {

using kernels::Scan;

// Threads along lines: as many as a device keeps busy, and none with fewer elements than that.
constexpr int64_t lineThreads = 1 << 16, leastPart = 64;

// Of a line, so many parts and elements of one.
void divide(Scan &p, bool isTiled, int64_t item) {
    if (isTiled) {
        p.part = kernels::scanTile(item);
        p.parts = ceilDiv(p.length, p.part);
        p.tiles = p.parts > 1 ? p.count * p.parts : ceilDiv(p.count, p.part >> p.widthBits);
        return;
    }
    const int64_t wanted =
        std::clamp<int64_t>(lineThreads / p.count, 1, ceilDiv(p.length, leastPart));
    p.part = ceilDiv(p.length, wanted);
    p.parts = ceilDiv(p.length, p.part);
}

// Not 0: a failure.
int32_t scan(Context *ctx, Scan p, bool isTiled, int64_t item, const int64_t *kernels) {
    const int64_t slots = std::clamp<int64_t>(int64_t(std::bit_ceil(uint64_t(p.length))),
                                              kernels::scanItems(item), kernels::scanTile(item));
    p.widthBits = int32_t(std::bit_width(uint64_t(slots)) - 1);
    divide(p, isTiled, item);
    auto launch = [&] {
        return launchKernel(ctx, kernels[isTiled ? ScanTiles : ScanLines], p,
                            isTiled ? std::min<int64_t>(p.tiles, 1 << 16)
                                    : blocksFor(p.count * p.parts));
    };
    if (p.parts == 1)
        return launch();
    const DeviceScratch totals(ctx, p.count * p.parts * item);
    if (!totals)
        return 1;
    p.totals = totals.get();
    p.onlyTotals = 1;
    if (const int32_t failed = launch())
        return failed;
    // They are lines themselves: of adjacent totals, or beside each other.
    Scan up{};
    up.from = up.to = totals.get();
    up.count = p.count;
    up.length = p.parts;
    up.fromStep = up.toStep = isTiled ? 1 : p.count;
    up.axes.rank = 1;
    up.axes.sizes[0] = p.count;
    up.axes.strides[0][0] = up.axes.strides[1][0] = isTiled ? p.parts : 1;
    if (const int32_t failed = scan(ctx, up, isTiled, item, kernels))
        return failed;
    p.onlyTotals = 0;
    return launch();
}

} // namespace

// (to, from): along the last axis.
int64_t sc_device_scan(Context *ctx, const int64_t *slots, const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray to = in.array(), from = in.array();
    if (to.count() == 0)
        return 0;
    const int64_t item = to.itemSize();
    Space<2> lines;
    for (int64_t d = 0; d + 1 < to.rank; ++d)
        lines.add(to.sizes[d], {from.strides[d], to.strides[d]});
    Scan p{};
    p.length = to.sizes[to.rank - 1];
    p.fromStep = from.strides[to.rank - 1];
    p.toStep = to.strides[to.rank - 1];
    const bool failed =
        forAxes(lines, [&](const kernels::Axes<2> &axes, const int64_t (&offsets)[2]) {
            p.axes = axes;
            p.count = 1;
            for (int d = 0; d < axes.rank; ++d)
                p.count *= axes.sizes[d];
            p.from = from.data + offsets[0] * item;
            p.to = to.data + offsets[1] * item;
            // Adjacent threads find adjacent elements in adjacent lines, if there are enough of
            // them, or those of their own line are few.
            const bool isAcross = axes.rank > 0 && axes.sizes[axes.rank - 1] >= 16 &&
                                  std::abs(axes.strides[1][axes.rank - 1]) < std::abs(p.toStep);
            const bool isTiled = !isAcross && p.length > kernels::scanItems(item);
            return scan(ctx, p, isTiled, item, kernels);
        });
    return failed ? nativeFails : 0;
}

//===-- Bins, and np.add.at

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
