// Masks and index arrays on a device: the launches of kernels/masks.h and kernels/indexing.h.
#include "kernels/indexing.h"
#include "kernels/masks.h"
#include "runtime/device_kernels.h"

#include <limits>
#include <optional>

namespace shapecast::runtime {

extern "C" { // of the host: advanced_indexing.cpp
int64_t sc_nonzero(Context *ctx, const int64_t *slots);
int64_t sc_gather(Context *ctx, const int64_t *slots);
int64_t sc_scatter(Context *ctx, const int64_t *slots);
int64_t sc_count(Context *ctx, const int64_t *slots);
int64_t sc_gather_mask(Context *ctx, const int64_t *slots);
int64_t sc_scatter_mask(Context *ctx, const int64_t *slots);
}

namespace {

using kernels::Indexed;
using kernels::Mask;

// Of a space with more axes than kernels have: nothing.
template <int arrays> std::optional<kernels::Axes<arrays>> axesOf(const Space<arrays> &space) {
    if (space.rank > kernels::mostAxes)
        return std::nullopt;
    kernels::Axes<arrays> axes{};
    axes.rank = space.rank;
    for (int d = 0; d < space.rank; ++d) {
        axes.sizes[d] = space.sizes[d];
        for (int k = 0; k < arrays; ++k)
            axes.strides[k][d] = space.strides[k][d];
    }
    return axes;
}

//===-- Masks

// The mask and what it selects from, if anything.
std::optional<Mask> maskOf(const NativeArray &mask, const NativeArray *base) {
    Space<2> space;
    for (int64_t d = 0; d < mask.rank; ++d)
        space.add(mask.sizes[d], {mask.strides[d], base ? base->strides[d] : 0});
    const auto axes = axesOf(space);
    if (!axes)
        return std::nullopt;
    Mask p{};
    p.mask = reinterpret_cast<const uint8_t *>(mask.data);
    p.base = base ? base->data : nullptr;
    p.elements = mask.count();
    p.chunks = ceilDiv(p.elements, kernels::chunkElements);
    p.axes = *axes;
    return p;
}

// After it each chunk knows where its elements go. Not 0: a failure.
int32_t countChunks(Context *ctx, Mask &p, const DeviceScratch &counts, const int64_t *kernels) {
    if (!counts)
        return 1;
    p.counts = reinterpret_cast<int64_t *>(counts.get());
    if (const int32_t failed = launchKernel(ctx, kernels[MaskCount], p, p.chunks))
        return failed;
    return launchKernel(ctx, kernels[MaskSums], p, 1);
}

int64_t bytesOfCounts(const Mask &p) { return (p.chunks + 1) * 8; }

// The elements that are true with a row each: their offsets become index arrays.
int64_t moveRows(Context *ctx, Mask p, const NativeArray &base, const NativeArray &mask,
                 const NativeArray &other, const int64_t *kernels) {
    Space<2 + kernels::mostIndices> space;
    space.add(other.sizes[0], {0, other.strides[0], 1});
    for (int64_t d = mask.rank; d < base.rank; ++d)
        space.add(base.sizes[d], {base.strides[d], other.strides[1 + d - mask.rank]});
    const auto axes = axesOf(space);
    const DeviceScratch offsets(ctx, other.sizes[0] * 8);
    if (!axes || !offsets)
        return nativeFails;
    p.other = offsets.get();
    if (launchKernel(ctx, kernels[MaskOffsets], p, p.chunks))
        return nativeFails;
    Indexed rows{};
    rows.base = base.data;
    rows.other = other.data;
    rows.elements = other.count();
    rows.rows = 1;
    rows.indices = 1;
    rows.index[0] = {offsets.get(), 0, 1, 'o'};
    rows.axes = *axes;
    return launchKernel(ctx, kernels[MaskMoveRows], rows, blocksFor(rows.elements)) ? nativeFails
                                                                                    : 0;
}

int64_t moveMasked(Context *ctx, Mask p, const NativeArray &base, const NativeArray &mask,
                   const NativeArray &other, const int64_t *kernels) {
    if (p.elements == 0 || other.count() == 0)
        return 0;
    const DeviceScratch counts(ctx, bytesOfCounts(p));
    if (countChunks(ctx, p, counts, kernels))
        return nativeFails;
    if (mask.rank < base.rank)
        return moveRows(ctx, p, base, mask, other, kernels);
    p.other = other.data;
    p.otherStride = other.strides[0];
    return launchKernel(ctx, kernels[MaskMove], p, p.chunks) ? nativeFails : 0;
}

bool hasFewAxes(const NativeArray &a) { return a.rank < kernels::mostAxes; }

} // namespace

extern "C" int64_t sc_device_count(Context *ctx, const int64_t *slots, const int64_t *kernels) {
    const NativeArray mask = NativeOperands(slots).array();
    std::optional<Mask> p = maskOf(mask, nullptr);
    if (!p)
        return callOnHost(ctx, slots, {mask}, 0, &sc_count);
    if (p->elements == 0)
        return 0;
    const DeviceScratch counts(ctx, bytesOfCounts(*p));
    int64_t total = 0;
    return countChunks(ctx, *p, counts, kernels) ||
                   sc_device_read(ctx, &total, p->counts + p->chunks, 8)
               ? nativeFails
               : total;
}

extern "C" int64_t sc_device_nonzero(Context *ctx, const int64_t *slots, const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray indices = in.array(), mask = in.array();
    std::optional<Mask> p = maskOf(mask, nullptr);
    if (!p || mask.rank > kernels::mostAxes)
        return callOnHost(ctx, slots, {indices, mask}, 0, &sc_nonzero);
    if (p->elements == 0 || indices.count() == 0)
        return 0;
    p->other = indices.data;
    p->rank = int32_t(mask.rank);
    std::copy(mask.sizes, mask.sizes + mask.rank, p->sizes);
    const DeviceScratch counts(ctx, bytesOfCounts(*p));
    return countChunks(ctx, *p, counts, kernels) ||
                   launchKernel(ctx, kernels[MaskMove], *p, p->chunks)
               ? nativeFails
               : 0;
}

extern "C" int64_t sc_device_gather_mask(Context *ctx, const int64_t *slots,
                                         const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray out = in.array(), base = in.array(), mask = in.array();
    const std::optional<Mask> p = maskOf(mask, &base);
    if (!p || !hasFewAxes(base))
        return callOnHost(ctx, slots, {out, base, mask}, 0, &sc_gather_mask);
    return moveMasked(ctx, *p, base, mask, out, kernels);
}

// Where operands overlap, NumPy's result depends on the order in which it stores: the host knows
// it.
extern "C" int64_t sc_device_scatter_mask(Context *ctx, const int64_t *slots,
                                          const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray base = in.array(), values = in.array(), mask = in.array();
    const std::optional<Mask> p = maskOf(mask, &base);
    if (!p || !hasFewAxes(base) || overlap(mask, base) || overlap(values, base))
        return callOnHost(ctx, slots, {base, values, mask}, 0, &sc_scatter_mask);
    return moveMasked(ctx, *p, base, mask, values, kernels);
}

//===-- Index arrays

namespace {

// base (indexed axes first), other (axes of the index arrays first), the index arrays.
struct Access {
    NativeArray base, other, index[kernels::mostIndices];
    int64_t indices = 0;

    // False: there are more index arrays, or axes, than kernels have.
    bool read(NativeOperands &in) {
        indices = in.number();
        for (int64_t k = 0; k < std::min<int64_t>(indices, kernels::mostIndices); ++k) {
            in.number(); // the axis's number, for messages
            index[k] = in.array();
        }
        return indices <= kernels::mostIndices;
    }
    std::optional<Indexed> parameter(bool hasRows) const {
        const int64_t indexRank = index[0].rank;
        Indexed p{};
        Space<2 + kernels::mostIndices> space;
        p.elements = p.rows = p.places = 1;
        for (int64_t d = 0; d < indexRank; ++d) {
            int64_t along[2 + kernels::mostIndices] = {0, other.strides[d]};
            for (int64_t k = 0; k < indices; ++k)
                along[2 + k] = index[k].strides[d];
            space.add(index[0].sizes[d], along);
            p.elements *= index[0].sizes[d];
        }
        for (int64_t d = indices; d < base.rank && hasRows; ++d) {
            space.add(base.sizes[d], {base.strides[d], other.strides[indexRank + d - indices]});
            p.rows *= base.sizes[d];
        }
        p.elements *= p.rows;
        p.base = base.data;
        p.other = other.data;
        p.indices = int32_t(indices);
        for (int64_t k = 0; k < indices; ++k) {
            p.index[k] = {index[k].data, base.sizes[k], base.strides[k], index[k].dtype};
            p.places *= base.sizes[k];
        }
        const auto axes = axesOf(space);
        if (axes)
            p.axes = *axes;
        return axes ? std::optional(p) : std::nullopt;
    }
    // Of the host, in the order of the slots.
    int64_t onHost(Context *ctx, const int64_t *slots, bool store) const {
        auto *function = store ? &sc_scatter : &sc_gather;
        const NativeArray &first = store ? base : other, &second = store ? other : base;
        switch (indices) {
        case 1:
            return callOnHost(ctx, slots, {first, second, index[0]}, 0, function);
        case 2:
            return callOnHost(ctx, slots, {first, second, index[0], index[1]}, 0, function);
        default:
            return callOnHost(ctx, slots, {first, second, index[0], index[1], index[2]}, 0,
                              function);
        }
    }
};

// Whether a kernel has found an index that is out of bounds.
class Verdict {
public:
    explicit Verdict(Context *ctx) : ctx(ctx), flag(ctx, 8) {}
    // Not 0: a failure.
    int32_t start(Indexed &p) {
        if (!flag)
            return 1;
        p.isOutside = reinterpret_cast<int64_t *>(flag.get());
        const int64_t zero = 0;
        return sc_device_write(ctx, flag.get(), &zero, 8);
    }
    // Waits; 1: it has; -1: a failure.
    int32_t get() {
        int64_t is = 0;
        return sc_device_read(ctx, &is, flag.get(), 8) ? -1 : int32_t(is);
    }

private:
    Context *ctx;
    DeviceScratch flag;
};

// 1 where an index is out of bounds, -1 after a failure.
int32_t check(Context *ctx, const Access &access, const int64_t *kernels) {
    Indexed p = *access.parameter(/*hasRows=*/false);
    Verdict verdict(ctx);
    if (p.elements == 0)
        return 0;
    if (verdict.start(p) || launchKernel(ctx, kernels[IndexCheck], p, blocksFor(p.elements)))
        return -1;
    return verdict.get();
}

// Which position stores, where several have the same place.
int32_t findWinners(Context *ctx, const Access &access, const DeviceScratch &memory, Indexed &all,
                    const int64_t *kernels) {
    if (!memory)
        return 1;
    Indexed p = *access.parameter(/*hasRows=*/false);
    p.winners = all.winners = reinterpret_cast<int64_t *>(memory.get());
    if (const int32_t failed = launchKernel(ctx, kernels[IndexClear], p, blocksFor(p.places)))
        return failed;
    return launchKernel(ctx, kernels[IndexWinners], p, blocksFor(p.elements));
}

} // namespace

extern "C" int64_t sc_device_gather(Context *ctx, const int64_t *slots, const int64_t *kernels) {
    NativeOperands in(slots);
    Access access;
    access.other = in.array();
    access.base = in.array();
    access.read(in);
    std::optional<Indexed> p = access.parameter(/*hasRows=*/true);
    if (!p)
        return access.onHost(ctx, slots, false);
    int32_t isOutside = 0;
    if (p->elements == 0) {
        isOutside = p->rows == 0 ? check(ctx, access, kernels) : 0;
    } else {
        Verdict verdict(ctx);
        if (verdict.start(*p) || launchKernel(ctx, kernels[IndexMove], *p, blocksFor(p->elements)))
            return nativeFails;
        isOutside = verdict.get();
    }
    return isOutside < 0 ? nativeFails : isOutside ? access.onHost(ctx, slots, false) : 0;
}

extern "C" int64_t sc_device_scatter(Context *ctx, const int64_t *slots, const int64_t *kernels) {
    NativeOperands in(slots);
    Access access;
    access.base = in.array();
    access.other = in.array();
    access.read(in);
    std::optional<Indexed> p = access.parameter(/*hasRows=*/true);
    bool overlaps = overlap(access.other, access.base);
    for (int64_t k = 0; k < access.indices; ++k)
        overlaps |= overlap(access.index[k], access.base);
    const int32_t isOutside = p && !overlaps ? check(ctx, access, kernels) : 0;
    if (isOutside < 0)
        return nativeFails;
    if (!p || overlaps || isOutside)
        return access.onHost(ctx, slots, true);
    if (p->elements == 0)
        return 0;
    bool isOneValue = true; // for all indices: whichever stores
    for (int64_t d = 0; d < access.index[0].rank; ++d)
        isOneValue &= access.other.strides[d] == 0 || access.other.sizes[d] == 1;
    const DeviceScratch winners(ctx, isOneValue ? 8 : p->places * 8);
    if (!isOneValue && findWinners(ctx, access, winners, *p, kernels))
        return nativeFails;
    return launchKernel(ctx, kernels[IndexMove], *p, blocksFor(p->elements)) ? nativeFails : 0;
}

} // namespace shapecast::runtime
