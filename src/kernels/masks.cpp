// x[mask], x[mask] = values, np.nonzero: the elements that are true, in C order.
#include "kernels/masks.h"

#include "kernels/device.h"

namespace shapecast::kernels {
namespace {

constexpr int rounds = chunkElements / blockThreads; // elements of a thread
constexpr int warpElements = rounds * warpLanes;     // one after the other

using SharedCounts = __attribute__((address_space(3))) int32_t *;

// A chunk's elements as its lanes have them: of each warp 32 adjacent ones a round.
struct Chunk {
    int64_t first;      // this thread's first element
    uint32_t isSet = 0; // a bit a round
    int32_t ofWarp = 0; // how many are true

    SC_INLINE Chunk(const Mask &p, int64_t number)
        : first(number * chunkElements + warp() * warpElements + lane()) {
#pragma unroll 1
        for (int round = 0; round < rounds; ++round) {
            const int64_t element = first + round * warpLanes;
            bool is = false;
            if (element < p.elements) {
                int64_t at[2];
                p.axes.offsets(element, at);
                is = p.mask[at[0]] != 0;
            }
            isSet |= uint32_t(is) << round;
            ofWarp += __builtin_popcount(ballot(is));
        }
    }
};

// use(place, element, its offset in the base) for each element that is true.
template <class Use> SC_INLINE void forTrue(const Mask &p, SharedCounts shared, Use use) {
    for (int64_t number = block(); number < p.chunks; number += blocks()) {
        const Chunk chunk(p, number);
        barrier(); // nobody reads the counts before any more
        if (lane() == 0)
            shared[warp()] = chunk.ofWarp;
        barrier();
        int64_t place = p.counts[number];
        for (int w = 0; w < warp(); ++w)
            place += shared[w];
#pragma unroll 1
        for (int round = 0; round < rounds; ++round) {
            const bool is = chunk.isSet >> round & 1;
            const uint32_t lanes = ballot(is);
            if (is) {
                int64_t at[2];
                const int64_t element = chunk.first + round * warpLanes;
                p.axes.offsets(element, at);
                use(place + __builtin_popcount(lanes & ((1u << lane()) - 1)), element, at[1]);
            }
            place += __builtin_popcount(lanes);
        }
    }
}

struct alignas(16) Pair {
    uint64_t parts[2];
};

} // namespace

SC_KERNEL sc_mask_count(Mask p) {
    SC_SHARED int32_t shared[blockWarps];
    for (int64_t number = block(); number < p.chunks; number += blocks()) {
        const Chunk chunk(p, number);
        barrier();
        if (lane() == 0)
            shared[warp()] = chunk.ofWarp;
        barrier();
        if (thread() > 0)
            continue;
        int64_t count = 0;
        for (int w = 0; w < blockWarps; ++w)
            count += shared[w];
        p.counts[number] = count;
    }
}

// One block: a chunk's count becomes the sum of those before it.
SC_KERNEL sc_mask_sums(Mask p) {
    SC_SHARED int64_t shared[blockWarps];
    int64_t before = 0;
    for (int64_t first = 0; first < p.chunks; first += blockThreads) {
        const int64_t number = first + thread();
        const int64_t own = number < p.chunks ? p.counts[number] : 0;
        int64_t sum = own;
        for (int distance = 1; distance < warpLanes; distance *= 2) {
            const int64_t below = fromLaneBelow(sum, distance);
            sum += lane() >= distance ? below : 0;
        }
        barrier();
        if (lane() == warpLanes - 1)
            shared[warp()] = sum;
        barrier();
        int64_t all = 0;
        for (int w = 0; w < blockWarps; ++w) {
            sum += w < warp() ? shared[w] : 0;
            all += shared[w];
        }
        if (number < p.chunks)
            p.counts[number] = before + sum - own;
        before += all;
    }
    if (thread() == 0)
        p.counts[p.chunks] = before;
}

// other[count, rank]
SC_KERNEL sc_mask_indices(Mask p) {
    SC_SHARED int32_t shared[blockWarps];
    forTrue(p, shared, [&](int64_t place, int64_t element, int64_t) {
        auto *to = reinterpret_cast<int64_t *>(p.other) + place * p.rank;
#pragma unroll
        for (int d = mostAxes - 1; d >= 0; --d) {
            if (d >= p.rank)
                continue;
            const int64_t rest = d ? element / p.sizes[d] : 0;
            to[d] = element - rest * p.sizes[d];
            element = rest;
        }
    });
}

// The offsets of what is true in the base: for kernels that move whole rows.
SC_KERNEL sc_mask_offsets(Mask p) {
    SC_SHARED int32_t shared[blockWarps];
    forTrue(p, shared, [&](int64_t place, int64_t, int64_t offset) {
        reinterpret_cast<int64_t *>(p.other)[place] = offset;
    });
}

// By the size of an item.
#define SC_MASKED(size, Item)                                                                      \
    SC_KERNEL sc_mask_gather_##size(Mask p) {                                                      \
        SC_SHARED int32_t shared[blockWarps];                                                      \
        const Item *from = reinterpret_cast<const Item *>(p.base);                                 \
        Item *to = reinterpret_cast<Item *>(p.other);                                              \
        forTrue(p, shared, [&](int64_t place, int64_t, int64_t offset) {                           \
            to[place * p.otherStride] = from[offset];                                              \
        });                                                                                        \
    }                                                                                              \
    SC_KERNEL sc_mask_scatter_##size(Mask p) {                                                     \
        SC_SHARED int32_t shared[blockWarps];                                                      \
        Item *to = reinterpret_cast<Item *>(p.base);                                               \
        const Item *from = reinterpret_cast<const Item *>(p.other);                                \
        forTrue(p, shared, [&](int64_t place, int64_t, int64_t offset) {                           \
            to[offset] = from[place * p.otherStride];                                              \
        });                                                                                        \
    }
SC_MASKED(1, uint8_t)
SC_MASKED(2, uint16_t)
SC_MASKED(4, uint32_t)
SC_MASKED(8, uint64_t)
SC_MASKED(16, Pair)

} // namespace shapecast::kernels
