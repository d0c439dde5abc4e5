// np.sort and np.argsort on a device: the launches of kernels/sort.h.
#include "kernels/sort.h"
#include "runtime/device_kernels.h"

#include <cstdlib>

namespace shapecast::runtime {

extern "C" int64_t sc_argsort(Context *ctx, const int64_t *slots); // of the host: sort.cpp

namespace {

using kernels::Sort;

// Rows that are longer than a tile: pairs of runs are merged from one buffer into another until a
// row is one run. Not 0: a failure.
int32_t sortLongRows(Context *ctx, Sort p, int64_t item, bool hasPositions,
                     const int64_t *kernels) {
    const int64_t tile = kernels::sortTile(item), elements = p.count * p.length;
    const bool isOneMerge = p.length <= 2 * tile;
    auto bytes = [&](int64_t size, bool isUsed) { return isUsed ? elements * size : 1; };
    const DeviceScratch keys(ctx, bytes(item, true)), otherKeys(ctx, bytes(item, !isOneMerge)),
        positions(ctx, bytes(4, hasPositions)),
        otherPositions(ctx, bytes(4, hasPositions && !isOneMerge));
    if (!keys || !otherKeys || !positions || !otherPositions)
        return 1;
    auto buffer = [](const DeviceScratch &of, const DeviceScratch &at) {
        return kernels::SortBuffer{of.get(), reinterpret_cast<uint32_t *>(at.get())};
    };
    kernels::SortBuffer from = buffer(keys, positions), to = buffer(otherKeys, otherPositions);
    p.rowTiles = ceilDiv(p.length, tile);
    p.tiles = p.count * p.rowTiles;
    const int64_t blocks = std::min<int64_t>(p.tiles, 1 << 16);
    p.after = from;
    if (const int32_t failed = launchKernel(ctx, kernels[SortTiles], p, blocks))
        return failed;
    for (p.run = tile; p.run < p.length; p.run *= 2) {
        p.before = from;
        p.after = 2 * p.run < p.length ? to : kernels::SortBuffer{};
        if (const int32_t failed = launchKernel(ctx, kernels[SortMerge], p, blocks))
            return failed;
        std::swap(from, to);
    }
    return 0;
}

int32_t sortShortRows(Context *ctx, Sort p, int64_t item, const int64_t *kernels) {
    const int64_t tile = kernels::sortTile(item);
    p.rowTiles = 1;
    p.tiles = ceilDiv(p.count, tile >> p.widthBits);
    return launchKernel(ctx, kernels[SortTiles], p, std::min<int64_t>(p.tiles, 1 << 16));
}

// Along the last axis. `result` has the sorted elements, or their positions.
int64_t sortRows(Context *ctx, const NativeArray &a, const NativeArray &result, bool hasPositions,
                 const int64_t *kernels) {
    if (a.count() == 0)
        return 0;
    const int64_t item = a.itemSize();
    Space<2> rows;
    for (int64_t d = 0; d + 1 < a.rank; ++d)
        rows.add(a.sizes[d], {a.strides[d], result.strides[d]});
    Sort p{};
    p.length = a.sizes[a.rank - 1];
    p.rowStep = a.strides[a.rank - 1];
    p.resultStep = result.strides[a.rank - 1];
    const int64_t slots = std::clamp<int64_t>(int64_t(std::bit_ceil(uint64_t(p.length))),
                                              kernels::sortItems(item), kernels::sortTile(item));
    p.widthBits = int32_t(std::bit_width(uint64_t(slots)) - 1);
    const bool failed =
        forAxes(rows, [&](const kernels::Axes<2> &axes, const int64_t (&offsets)[2]) {
            p.axes = axes;
            p.count = 1;
            for (int d = 0; d < axes.rank; ++d)
                p.count *= axes.sizes[d];
            p.rows = a.data + offsets[0] * item;
            p.result = result.data + offsets[1] * (hasPositions ? 8 : item);
            if (p.length > kernels::sortTile(item))
                return sortLongRows(ctx, p, item, hasPositions, kernels);
            p.isAcross =
                axes.rank > 0 && std::abs(axes.strides[0][axes.rank - 1]) < std::abs(p.rowStep);
            return sortShortRows(ctx, p, item, kernels);
        });
    return failed ? nativeFails : 0;
}

} // namespace

// (a, stable). The kernels' sort is stable in any case.
extern "C" int64_t sc_device_sort(Context *ctx, const int64_t *slots, const int64_t *kernels) {
    const NativeArray a = NativeOperands(slots).array();
    return sortRows(ctx, a, a, /*hasPositions=*/false, kernels);
}

// (indices, a, stable)
extern "C" int64_t sc_device_argsort(Context *ctx, const int64_t *slots, const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray indices = in.array(), a = in.array();
    if (a.sizes[a.rank - 1] > int64_t(UINT32_MAX)) // more than kernels count
        return callOnHost(ctx, slots, {indices, a}, 1, &sc_argsort);
    return sortRows(ctx, a, indices, /*hasPositions=*/true, kernels);
}

} // namespace shapecast::runtime
