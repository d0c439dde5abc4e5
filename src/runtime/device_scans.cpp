// Scans on a device: the launches of kernels/scan.h.
#include "kernels/scan.h"
#include "runtime/device_kernels.h"

#include <cstdlib>

namespace shapecast::runtime {
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

} // namespace shapecast::runtime
