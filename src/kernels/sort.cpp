// np.sort and np.argsort along an axis: a merge sort, which is stable.
//
// A block sorts a tile in shared memory: a thread sorts a few neighbours in registers, then pairs
// of runs are merged, where each thread finds by bisection which items of both runs are its part of
// the result ("merge path"). Further launches merge the runs of tiles in pairs, each tile of their
// result in the same way. Slots without an item hold the last of all values: as the sort is stable,
// they stay behind those of the row.
#include "kernels/sort.h"

#include "kernels/device.h"
#include "kernels/order.h"

namespace shapecast::kernels {
namespace {

template <class T> using Shared = __attribute__((address_space(3))) T *;

template <class T>
constexpr T lastValue = // of integers
    T(-1) > T(0) ? T(-1) : T(~uint64_t{0} >> (65 - 8 * sizeof(T)));
template <> constexpr _Float16 lastValue<_Float16> = _Float16(__builtin_nanf(""));
template <> constexpr float lastValue<float> = __builtin_nanf("");
template <> constexpr double lastValue<double> = __builtin_nan("");
template <> constexpr Complex64 lastValue<Complex64> = __builtin_nanf("");
template <> constexpr Complex128 lastValue<Complex128> = __builtin_nan("");

//===-- Tiles

SC_INLINE int smaller(int a, int b) { return a < b ? a : b; }
SC_INLINE int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
SC_INLINE int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

// The arrays in shared memory have a pad after each 128 bytes: slots that are `items` apart, as
// those of adjacent lanes, are in different banks.
template <int size> constexpr int padded(int slot) {
    constexpr int period = 128 / size, pad = size < 4 ? 4 / size : 1;
    return slot + slot / period * pad;
}
template <class T> constexpr int paddedTile = padded<sizeof(T)>(sortTile(sizeof(T)));
// Positions beside keys of type T.
template <class T> constexpr int paddedPositions = padded<4>(sortTile(sizeof(T)));

template <class T, bool hasPositions> struct Sorter {
    static constexpr int items = sortItems(sizeof(T)), tile = sortTile(sizeof(T));

    struct Item {
        T key;
        uint32_t position;
    };

    const Sort &p;
    Shared<T> keys;
    Shared<uint32_t> positions;
    Shared<int64_t> splits; // two, of merges

    SC_INLINE T keyAt(int slot) const { return keys[padded<sizeof(T)>(slot)]; }
    SC_INLINE Item get(int slot) const {
        return {keyAt(slot), hasPositions ? positions[padded<4>(slot)] : 0};
    }
    SC_INLINE void put(int slot, const Item &item) const {
        keys[padded<sizeof(T)>(slot)] = item.key;
        if constexpr (hasPositions)
            positions[padded<4>(slot)] = item.position;
    }
    SC_INLINE void putOwn(const Item (&own)[items]) const {
#pragma unroll
        for (int k = 0; k < items; ++k)
            put(thread() * items + k, own[k]);
    }
    // The slots of a round are those of adjacent items, or of adjacent rows.
    SC_INLINE int slotOf(int round) const {
        const int number = round * blockThreads + thread(), rows = tile >> p.widthBits;
        return p.isAcross ? (number & (rows - 1)) << p.widthBits | number / rows : number;
    }

    // Not a choice between places in memory, which would not be registers.
    SC_INLINE static Item choose(bool first, Item a, Item b) {
        const T keyOfA = a.key, keyOfB = b.key;
        const uint32_t positionOfA = a.position, positionOfB = b.position;
        return {first ? keyOfA : keyOfB, first ? positionOfA : positionOfB};
    }
    // Neighbours change places only if they are in the wrong order.
    SC_INLINE static void sortOwn(Item (&own)[items]) {
#pragma unroll
        for (int round = 0; round < items; ++round)
#pragma unroll
            for (int k = round % 2; k + 1 < items; k += 2) {
                const bool swap = isBefore(own[k + 1].key, own[k].key);
                const Item low = choose(swap, own[k + 1], own[k]);
                own[k + 1] = choose(swap, own[k], own[k + 1]);
                own[k] = low;
            }
    }

    // Items first, first + 1, ... of what the runs [a, b) and [b, end) are together.
    SC_INLINE void merge(int a, int b, int end, int first, Item (&own)[items]) const {
        int low = int(larger(first - (end - b), 0)), high = smaller(first, b - a);
        while (low < high) {
            const int middle = (low + high) / 2;
            const bool isLess = isBefore(keyAt(b + first - 1 - middle), keyAt(a + middle));
            high = isLess ? middle : high;
            low = isLess ? low : middle + 1;
        }
        int left = a + low, right = b + first - low;
        Item ofLeft = get(smaller(left, end - 1)), ofRight = get(smaller(right, end - 1));
#pragma unroll
        for (int k = 0; k < items; ++k) {
            const bool fromRight =
                (left >= b) | ((right < end) & isBefore(ofRight.key, ofLeft.key));
            own[k] = choose(fromRight, ofRight, ofLeft);
            left += !fromRight;
            right += fromRight;
            if (k + 1 == items)
                break;
            const Item next = get(smaller(fromRight ? right : left, end - 1));
            ofLeft = choose(fromRight, ofLeft, next);
            ofRight = choose(fromRight, next, ofRight);
        }
    }

    SC_INLINE void storeResult(int64_t offset, int64_t position, const Item &item) const {
        const int64_t at = offset + position * p.resultStep;
        if constexpr (hasPositions)
            reinterpret_cast<int64_t *>(p.result)[at] = item.position;
        else
            reinterpret_cast<T *>(p.result)[at] = item.key;
    }
    SC_INLINE void storeBetween(int64_t at, const Item &item) const {
        reinterpret_cast<T *>(p.after.keys)[at] = item.key;
        if constexpr (hasPositions)
            p.after.positions[at] = item.position;
    }

    SC_INLINE void sortTiles() const {
        for (int64_t number = block(); number < p.tiles; number += blocks())
            sortOneTile(number);
    }
    SC_INLINE void sortOneTile(int64_t number) const {
        const bool isPart = p.rowTiles > 1; // of one row
        const int64_t firstRow =
            isPart ? number / p.rowTiles : number * (int64_t(tile) >> p.widthBits);
        const int64_t first = isPart ? (number - firstRow * p.rowTiles) * tile : 0;
        const int width = 1 << p.widthBits;
        // use(offsets, row, position) if there is an item.
        auto withItem = [&](int slot, auto use) {
            const int64_t row = firstRow + (slot >> p.widthBits),
                          position = first + (slot & (width - 1));
            if (row >= p.count || position >= p.length)
                return;
            int64_t offsets[2];
            p.axes.offsets(row, offsets);
            use(offsets, row, position);
        };
        barrier(); // nobody reads the tile before any more
#pragma unroll 1
        for (int k = 0; k < items; ++k) {
            Item item{lastValue<T>, 0};
            withItem(slotOf(k), [&](const int64_t (&offsets)[2], int64_t, int64_t position) {
                item.key = reinterpret_cast<const T *>(p.rows)[offsets[0] + position * p.rowStep];
                item.position = uint32_t(position);
            });
            put(slotOf(k), item);
        }
        barrier();
        Item own[items];
        const int ownFirst = thread() * items;
#pragma unroll
        for (int k = 0; k < items; ++k)
            own[k] = get(ownFirst + k);
        sortOwn(own);
        for (int run = items; run < width; run *= 2) {
            putOwn(own);
            barrier();
            const int pair = ownFirst & ~(2 * run - 1);
            merge(pair, pair + run, pair + 2 * run, ownFirst - pair, own);
            barrier();
        }
        putOwn(own);
        barrier();
#pragma unroll 1
        for (int k = 0; k < items; ++k)
            withItem(slotOf(k), [&](const int64_t (&offsets)[2], int64_t row, int64_t position) {
                const Item item = get(slotOf(k));
                if (p.after.keys)
                    storeBetween(row * p.length + position, item);
                else
                    storeResult(offsets[1], position, item);
            });
    }

    //===-- Merges of runs of tiles

    // How many of the first `count` items of two runs together are of the first run: a warp asks at
    // 32 places at once.
    SC_INLINE static int64_t splitOf(const T *a, int64_t ofA, const T *b, int64_t ofB,
                                     int64_t count) {
        int64_t low = larger(count - ofB, 0), high = smaller(count, ofA);
        while (low < high) {
            const int64_t step = (high - low + warpLanes - 1) / warpLanes;
            const int64_t at = low + (lane() + 1) * step - 1;
            const bool isOfA = at < high && !isBefore(b[count - 1 - at], a[at]);
            low += __builtin_popcount(ballot(isOfA)) * step;
            high = smaller(high, low + step - 1);
        }
        return low;
    }

    SC_INLINE void mergeTiles() const {
        for (int64_t number = block(); number < p.tiles; number += blocks())
            mergeOneTile(number);
    }
    SC_INLINE void mergeOneTile(int64_t number) const {
        // In 32 bits, which no memory has more tiles than: division of 64 is a call, around which
        // registers would be spilled.
        const int64_t row = uint32_t(number) / uint32_t(p.rowTiles);
        const int64_t first = (number - row * p.rowTiles) * tile;
        const int64_t start = row * p.length, pair = first & ~(2 * p.run - 1);
        const int64_t ofA = smaller(p.run, p.length - pair),
                      ofB = smaller(p.run, p.length - pair - ofA);
        const int64_t a = start + pair, b = a + ofA;
        const T *from = reinterpret_cast<const T *>(p.before.keys);
        const int64_t begin = first - pair, end = smaller(begin + tile, ofA + ofB);
        barrier(); // nobody reads the tile before any more
        if (warp() < 2) {
            const int64_t split = splitOf(from + a, ofA, from + b, ofB, warp() ? end : begin);
            if (lane() == 0)
                splits[warp()] = split;
        }
        barrier();
        const int64_t left = splits[0];
        const int lefts = int(splits[1] - left), all = int(end - begin);
        Item own[items];
#pragma unroll
        for (int k = 0; k < items; ++k) { // all loads before the first store: they wait together
            const int slot = k * blockThreads + thread();
            const int64_t at = slot < lefts ? a + left + slot : b + begin - left + slot - lefts;
            own[k] = {lastValue<T>, 0};
            if (slot < all)
                own[k] = {from[at], hasPositions ? p.before.positions[at] : 0};
        }
#pragma unroll
        for (int k = 0; k < items; ++k)
            put(k * blockThreads + thread(), own[k]);
        barrier();
        merge(0, lefts, tile, thread() * items, own);
        barrier();
        putOwn(own);
        barrier();
        int64_t offsets[2];
        p.axes.offsets(row, offsets);
#pragma unroll 1
        for (int k = 0; k < items; ++k) {
            const int slot = k * blockThreads + thread();
            if (slot < all && p.after.keys)
                storeBetween(start + first + slot, get(slot));
            else if (slot < all)
                storeResult(offsets[1], first + slot, get(slot));
        }
    }
};

} // namespace

#define SC_SORTER(name, T, hasPositions, positionSlots, step)                                      \
    SC_KERNEL name(Sort p) {                                                                       \
        SC_SHARED T keys[paddedTile<T>];                                                           \
        SC_SHARED uint32_t positions[positionSlots];                                               \
        SC_SHARED int64_t splits[2];                                                               \
        Sorter<T, hasPositions>{p, keys, positions, splits}.step();                                \
    }
// By the dtype's character.
#define SC_SORT(type, T)                                                                           \
    SC_SORTER(sc_sort_tiles_##type, T, false, 1, sortTiles)                                        \
    SC_SORTER(sc_sort_merge_##type, T, false, 1, mergeTiles)                                       \
    SC_SORTER(sc_argsort_tiles_##type, T, true, paddedPositions<T>, sortTiles)                     \
    SC_SORTER(sc_argsort_merge_##type, T, true, paddedPositions<T>, mergeTiles)
SC_SORT(b, int8_t)
SC_SORT(B, uint8_t)
SC_SORT(h, int16_t)
SC_SORT(H, uint16_t)
SC_SORT(i, int32_t)
SC_SORT(I, uint32_t)
SC_SORT(l, int64_t)
SC_SORT(L, uint64_t)
SC_SORT(e, _Float16)
SC_SORT(f, float)
SC_SORT(d, double)
SC_SORT(F, Complex64)
SC_SORT(D, Complex128)

} // namespace shapecast::kernels
