// base[place] = base[place] op other, position by position, also where places are equal.
//
// In the order of positions, as NumPy: these are sorted by place, and a thread does all that have
// one place (a run); a warp reads ahead for it in long runs. Sums of integers are the same in any
// order: a thread a position, and atomics.
#include "kernels/at.h"

#include "kernels/device.h"
#include "kernels/operations.h"

namespace shapecast::kernels {
namespace {

constexpr int64_t shortRun = 16;

// A: of the base; B: of the other; Work: the loop of the ufunc.
template <class Operation, class A, class B, class Work> struct Runs {
    const At &p;

    SC_INLINE int64_t positionAt(int64_t k) const { return p.order[k * p.orderStep]; }
    // The place of the k-th position of the order; -1 behind the last.
    SC_INLINE int64_t placeAt(int64_t k) const {
        return k < p.count ? p.places[positionAt(k) * p.placeStep] : -1;
    }
    SC_INLINE bool startsRun(int64_t k, int64_t place) const {
        return uint64_t(place) < uint64_t(p.rows) && (k == 0 || placeAt(k - 1) != place);
    }
    SC_INLINE A *baseOf(int64_t place) const {
        int64_t at[1];
        p.ofPlaces.offsets(place, at);
        return reinterpret_cast<A *>(p.base) + at[0];
    }
    SC_INLINE B otherAt(int64_t k, int64_t offset) const {
        return reinterpret_cast<const B *>(p.other)[positionAt(k) * p.otherStep + offset];
    }
    SC_INLINE static A with(A value, B next) { return A(Operation::of(Work(value), Work(next))); }

    SC_INLINE void run() const {
        if (p.rowElements == 1)
            runWarps();
        else
            runThreads();
    }

    // A thread a run and element of the row.
    SC_INLINE void runThreads() const {
        for (int64_t n = threadOfAll(); n < p.count * p.rowElements; n += allThreads()) {
            int64_t k = n / p.rowElements;
            const int64_t place = placeAt(k);
            if (!startsRun(k, place))
                continue;
            int64_t offsets[2];
            p.ofRow.offsets(n - k * p.rowElements, offsets);
            A *to = baseOf(place) + offsets[0];
            A value = *to;
            do
                value = with(value, otherAt(k, offsets[1]));
            while (placeAt(++k) == place);
            *to = value;
        }
    }

    // A warp has 32 positions: each lane the run that starts there, if it is short; then all lanes
    // one long run after the other.
    SC_INLINE void runWarps() const {
        for (int64_t first = threadOfAll() - lane(); first < p.count; first += allThreads()) {
            int64_t k = first + lane();
            const int64_t place = placeAt(k);
            const bool starts = startsRun(k, place);
            A value{};
            A *to = nullptr;
            bool goesOn = starts;
            if (starts) {
                to = baseOf(place);
                value = *to;
            }
#pragma unroll 1
            for (int64_t end = k + shortRun; goesOn && k < end; goesOn = placeAt(k) == place) {
                value = with(value, otherAt(k, 0));
                ++k;
            }
            for (uint32_t left = ballot(goesOn); left; left &= left - 1) {
                const int leader = __builtin_ctz(left);
                const A whole = longRun(fromLaneOf(value, leader), fromLaneOf(k, leader),
                                        fromLaneOf(place, leader));
                if (lane() == leader)
                    value = whole;
            }
            if (to)
                *to = value;
        }
    }
    SC_INLINE A longRun(A value, int64_t k, int64_t place) const {
        for (int found = warpLanes; found == warpLanes; k += warpLanes) {
            const bool isOfRun = placeAt(k + lane()) == place;
            B own{};
            if (isOfRun)
                own = otherAt(k + lane(), 0);
            found = __builtin_popcount(ballot(isOfRun)); // the first lanes
#pragma unroll 1
            for (int n = 0; n < found; ++n)
                value = with(value, fromLaneOf(own, n));
        }
        return value;
    }
};

template <class T> SC_INLINE void addAtomically(const At &p) {
    for (int64_t n = threadOfAll(); n < p.count * p.rowElements; n += allThreads()) {
        const int64_t position = n / p.rowElements, place = p.places[position * p.placeStep];
        if (uint64_t(place) >= uint64_t(p.rows))
            continue;
        int64_t at[1], offsets[2];
        p.ofPlaces.offsets(place, at);
        p.ofRow.offsets(n - position * p.rowElements, offsets);
        __atomic_fetch_add(
            reinterpret_cast<T *>(p.base) + at[0] + offsets[0],
            reinterpret_cast<const T *>(p.other)[position * p.otherStep + offsets[1]],
            __ATOMIC_RELAXED);
    }
}

} // namespace

#define SC_AT(name, Operation, type, A, B, Work)                                                   \
    SC_KERNEL sc_at_##name##_##type(At p) { Runs<Operation, A, B, Work>{p}.run(); }
// Integers by their size.
#define SC_AT_BITS(name, Operation)                                                                \
    SC_AT(name, Operation, 1, uint8_t, uint8_t, uint8_t)                                           \
    SC_AT(name, Operation, 2, uint16_t, uint16_t, uint16_t)                                        \
    SC_AT(name, Operation, 4, uint32_t, uint32_t, uint32_t)                                        \
    SC_AT(name, Operation, 8, uint64_t, uint64_t, uint64_t)
// By the dtype's character; of what is float32 and has a loop of float64: both.
#define SC_AT_FLOATS(name, Operation)                                                              \
    SC_AT(name, Operation, e, _Float16, _Float16, float)                                           \
    SC_AT(name, Operation, f, float, float, float)                                                 \
    SC_AT(name, Operation, fd, float, double, double)                                              \
    SC_AT(name, Operation, d, double, double, double)                                              \
    SC_AT(name, Operation, F, Complex64, Complex64, Complex64)                                     \
    SC_AT(name, Operation, D, Complex128, Complex128, Complex128)
#define SC_AT_ORDERED(name, Operation)                                                             \
    SC_AT(name, Operation, b, int8_t, int8_t, int8_t)                                              \
    SC_AT(name, Operation, B, uint8_t, uint8_t, uint8_t)                                           \
    SC_AT(name, Operation, h, int16_t, int16_t, int16_t)                                           \
    SC_AT(name, Operation, H, uint16_t, uint16_t, uint16_t)                                        \
    SC_AT(name, Operation, i, int32_t, int32_t, int32_t)                                           \
    SC_AT(name, Operation, I, uint32_t, uint32_t, uint32_t)                                        \
    SC_AT(name, Operation, l, int64_t, int64_t, int64_t)                                           \
    SC_AT(name, Operation, L, uint64_t, uint64_t, uint64_t)                                        \
    SC_AT_FLOATS(name, Operation)

SC_AT_BITS(add, Add)
SC_AT_FLOATS(add, Add)
SC_AT_BITS(subtract, Subtract)
SC_AT_FLOATS(subtract, Subtract)
SC_AT_BITS(multiply, Multiply)
SC_AT_FLOATS(multiply, Multiply)
SC_AT_ORDERED(maximum, Maximum)
SC_AT_ORDERED(minimum, Minimum)
SC_AT_BITS(bitwise_and, And)
SC_AT_BITS(bitwise_or, Or)
SC_AT_BITS(bitwise_xor, Xor)

SC_KERNEL sc_at_sum_4(At p) { addAtomically<uint32_t>(p); }
SC_KERNEL sc_at_sum_8(At p) { addAtomically<uint64_t>(p); }

} // namespace shapecast::kernels
