// Scans along an axis: each element is combined with those before it in its line.
//
// Two kernels for each operation: a block scans a tile of adjacent elements, of one line or of
// several short ones; or a thread goes along a line while its neighbours go along adjacent lines.
// Long lines have parts: first each part's total is found, then the totals are scanned, then each
// part begins with what is before it. Which elements are combined first depends on sizes alone, and
// nothing is combined with a neutral element, which is none for NaN, -0.0 or complex infinities.
#include "kernels/scan.h"

#include "kernels/device.h"
#include "kernels/operations.h"

namespace shapecast::kernels {
namespace {

template <class T> using Shared = __attribute__((address_space(3))) T *;

// What elements are together; there may be none yet.
template <class Operation, class T> struct Total {
    T value{};
    bool isSome = false;

    SC_INLINE T with(T next) const { return isSome ? Operation::of(value, next) : next; }
    SC_INLINE void append(const Total &next) {
        value = next.isSome ? with(next.value) : value;
        isSome |= next.isSome;
    }
};

//===-- Tiles

// A pad after each 128 bytes: slots that are `items` apart, as those of adjacent lanes, are in
// different banks.
template <int size> constexpr int padded(int slot) {
    constexpr int period = 128 / size, pad = size < 4 ? 4 / size : 1;
    return slot + slot / period * pad;
}
template <class T> constexpr int paddedTile = padded<sizeof(T)>(scanTile(sizeof(T)));

template <class Operation, class T> struct TileScan {
    static constexpr int items = scanItems(sizeof(T)), tile = scanTile(sizeof(T));
    using Total = kernels::Total<Operation, T>;

    const Scan &p;
    Shared<T> slots;
    Shared<T> ofWarps;

    SC_INLINE Shared<T> slot(int number) const { return slots + padded<sizeof(T)>(number); }

    SC_INLINE void run() const {
        for (int64_t number = block(); number < p.tiles; number += blocks())
            scanTileOf(number);
    }

    SC_INLINE void scanTileOf(int64_t number) const {
        const int64_t firstLine =
            p.parts > 1 ? number / p.parts : number * (int64_t(tile) >> p.widthBits);
        const int64_t part = p.parts > 1 ? number - firstLine * p.parts : 0, first = part * tile;
        // use(slot, offsets, position, whether there is such an element)
        auto forOwn = [&](auto use) {
#pragma unroll 1
            for (int round = 0; round < items; ++round) {
                const int own = round * blockThreads + thread();
                const int64_t line = firstLine + (own >> p.widthBits),
                              position = first + (own & ((1 << p.widthBits) - 1));
                int64_t offsets[2];
                p.axes.offsets(line, offsets);
                use(slot(own), offsets, position, line < p.count && position < p.length);
            }
        };
        barrier(); // nobody reads the tile before any more
        forOwn([&](Shared<T> to, const int64_t (&offsets)[2], int64_t position, bool is) {
            T value{};
            if (is)
                value = reinterpret_cast<const T *>(p.from)[offsets[0] + position * p.fromStep];
            *to = value;
        });
        barrier();
        T own[items]; // nothing valid follows what is behind the end of a line
#pragma unroll
        for (int k = 0; k < items; ++k) {
            own[k] = *slot(thread() * items + k);
            if (k > 0)
                own[k] = Operation::of(own[k - 1], own[k]);
        }
        Total before = beforeThread(own[items - 1]);
        T *const totals = reinterpret_cast<T *>(p.totals) + firstLine * p.parts + part;
        if (p.onlyTotals) {
            if (thread() == blockThreads - 1)
                *totals = before.with(own[items - 1]);
            return;
        }
        if (part > 0) {
            Total all{totals[-1], true};
            all.append(before);
            before = all;
        }
#pragma unroll
        for (int k = 0; k < items; ++k)
            *slot(thread() * items + k) = before.with(own[k]);
        barrier();
        forOwn([&](Shared<T> from, const int64_t (&offsets)[2], int64_t position, bool is) {
            if (is)
                reinterpret_cast<T *>(p.to)[offsets[1] + position * p.toStep] = *from;
        });
    }

    // What the threads before this one in its line have together.
    SC_INLINE Total beforeThread(T value) const {
        const int threadsOfLine = (1 << p.widthBits) / items;
        const int place = thread() & (threadsOfLine - 1);
        T upToHere = value;
#pragma unroll
        for (int distance = 1; distance < warpLanes; distance *= 2) {
            const T below = fromLaneBelow(upToHere, distance);
            if (lane() >= distance && place >= distance)
                upToHere = Operation::of(below, upToHere);
        }
        const T below = fromLaneBelow(upToHere, 1);
        Total before{};
        if (threadsOfLine > warpLanes) {
            if (lane() == warpLanes - 1)
                ofWarps[warp()] = upToHere;
            barrier();
            for (int w = warp() - place / warpLanes; w < warp(); ++w)
                before.append({ofWarps[w], true});
        }
        before.append({below, lane() > 0 && place > 0});
        return before;
    }
};

//===-- Threads along lines

template <class Operation, class T> SC_INLINE void scanLines(const Scan &p) {
    for (int64_t number = threadOfAll(); number < p.count * p.parts; number += allThreads()) {
        const int64_t part = p.parts > 1 ? number / p.count : 0, line = number - part * p.count;
        const int64_t first = part * p.part, rest = p.length - first;
        const int64_t size = rest < p.part ? rest : p.part;
        int64_t offsets[2];
        p.axes.offsets(line, offsets);
        const T *from = reinterpret_cast<const T *>(p.from) + offsets[0] + first * p.fromStep;
        T *to = reinterpret_cast<T *>(p.to) + offsets[1] + first * p.toStep;
        T *const totals = reinterpret_cast<T *>(p.totals) + number;
        if (p.onlyTotals) {
            T total = *from;
#pragma unroll 4
            for (int64_t i = 1; i < size; ++i)
                total = Operation::of(total, from[i * p.fromStep]);
            *totals = total;
            continue;
        }
        T total = part > 0 ? Operation::of(totals[-p.count], *from) : *from;
        *to = total;
#pragma unroll 4
        for (int64_t i = 1; i < size; ++i) {
            total = Operation::of(total, from[i * p.fromStep]);
            to[i * p.toStep] = total;
        }
    }
}

} // namespace

#define SC_SCAN(name, Operation, type, T)                                                          \
    SC_KERNEL sc_scan_tiles_##name##_##type(Scan p) {                                              \
        SC_SHARED T slots[paddedTile<T>];                                                          \
        SC_SHARED T ofWarps[blockWarps];                                                           \
        TileScan<Operation, T>{p, slots, ofWarps}.run();                                           \
    }                                                                                              \
    SC_KERNEL sc_scan_lines_##name##_##type(Scan p) { scanLines<Operation, T>(p); }

// Integers by their size, since signed and unsigned ones wrap alike.
#define SC_SCAN_BITS(name, Operation)                                                              \
    SC_SCAN(name, Operation, 1, uint8_t)                                                           \
    SC_SCAN(name, Operation, 2, uint16_t)                                                          \
    SC_SCAN(name, Operation, 4, uint32_t)                                                          \
    SC_SCAN(name, Operation, 8, uint64_t)
// By the dtype's character.
#define SC_SCAN_FLOATS(name, Operation)                                                            \
    SC_SCAN(name, Operation, f, float)                                                             \
    SC_SCAN(name, Operation, d, double)
#define SC_SCAN_COMPLEX(name, Operation)                                                           \
    SC_SCAN(name, Operation, F, Complex64)                                                         \
    SC_SCAN(name, Operation, D, Complex128)
#define SC_SCAN_ORDERED(name, Operation)                                                           \
    SC_SCAN(name, Operation, b, int8_t)                                                            \
    SC_SCAN(name, Operation, B, uint8_t)                                                           \
    SC_SCAN(name, Operation, h, int16_t)                                                           \
    SC_SCAN(name, Operation, H, uint16_t)                                                          \
    SC_SCAN(name, Operation, i, int32_t)                                                           \
    SC_SCAN(name, Operation, I, uint32_t)                                                          \
    SC_SCAN(name, Operation, l, int64_t)                                                           \
    SC_SCAN(name, Operation, L, uint64_t)                                                          \
    SC_SCAN_FLOATS(name, Operation)                                                                \
    SC_SCAN_COMPLEX(name, Operation)

SC_SCAN_BITS(add, Add)
SC_SCAN_FLOATS(add, Add)
SC_SCAN_COMPLEX(add, Add)
SC_SCAN_BITS(multiply, Multiply)
SC_SCAN_FLOATS(multiply, Multiply)
SC_SCAN_COMPLEX(multiply, Multiply)
SC_SCAN_ORDERED(maximum, Maximum)
SC_SCAN_ORDERED(minimum, Minimum)
SC_SCAN_FLOATS(fmax, FMaximum)
SC_SCAN_FLOATS(fmin, FMinimum)
SC_SCAN_BITS(bitwise_and, And)
SC_SCAN_BITS(bitwise_or, Or)
SC_SCAN_BITS(bitwise_xor, Xor)

} // namespace shapecast::kernels
