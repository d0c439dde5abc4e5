// Order statistics of a 1-D array in linear time, and whether it has a NaN: sc_nth, sc_extremes,
// sc_holds_nan.
#include "runtime/native.h"
#include "runtime/symbols.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace shapecast::runtime {

namespace {

template <class T> struct Complex {
    T real, imag;
    bool operator<(const Complex &other) const {
        return real < other.real || (real == other.real && imag < other.imag);
    }
};

// A float16 by its bits; zeros of both signs are equal.
struct Half {
    uint16_t bits;
    int32_t order() const { return bits & 0x8000 ? -int32_t(bits & 0x7fff) : bits; }
    bool operator<(const Half &other) const { return order() < other.order(); }
};

template <class Use> int64_t withNumbers(char dtype, Use use) {
    switch (dtype) {
    case 'f':
        return use.template operator()<float>();
    case 'd':
        return use.template operator()<double>();
    case 'F':
        return use.template operator()<Complex<float>>();
    case 'D':
        return use.template operator()<Complex<double>>();
    case 'e':
        return use.template operator()<Half>();
    case 'b':
        return use.template operator()<int8_t>();
    case 'h':
        return use.template operator()<int16_t>();
    case 'i':
        return use.template operator()<int32_t>();
    case '?':
    case 'B':
        return use.template operator()<uint8_t>();
    case 'H':
        return use.template operator()<uint16_t>();
    case 'I':
        return use.template operator()<uint32_t>();
    case 'L':
    case 'Q':
        return use.template operator()<uint64_t>();
    default:
        return use.template operator()<int64_t>();
    }
}

bool isNan(float x) { return x != x; }
bool isNan(double x) { return x != x; }
bool isNan(Half x) { return (x.bits & 0x7fff) > 0x7c00; }
template <class T> bool isNan(const Complex<T> &x) { return isNan(x.real) || isNan(x.imag); }
template <class T> bool isNan(T) { return false; }

template <class T, bool isContiguous> struct Line { // a 1-D array
    T *first;
    int64_t step;
    T &operator[](int64_t i) const { return first[isContiguous ? i : i * step]; }
};

// Lomuto's partition, without branches on the data: the elements for which the predicate holds come
// first. Returns the boundary.
template <class Line, class Predicate>
int64_t partition(Line line, int64_t first, int64_t end, const Predicate &predicate) {
    int64_t boundary = first;
    for (int64_t i = first; i < end; ++i) {
        const auto element = line[i];
        line[i] = line[boundary];
        line[boundary] = element;
        boundary += predicate(element);
    }
    return boundary;
}

template <class Line> void selectNth(Line line, int64_t count, int64_t k) {
    int64_t first = 0, end = count;
    uint32_t seed = 12345;
    while (end - first > 1) {
        seed = seed * 69069 + 1;
        const auto a = line[first + int64_t(seed) % (end - first)], b = line[(first + end) / 2],
                   c = line[end - 1];
        // The median of three: sorted arrays, and those of few values, are no worst cases.
        const auto pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
        int64_t boundary =
            partition(line, first, end, [&](const auto &element) { return element < pivot; });
        if (k < boundary) {
            end = boundary;
        } else if (boundary > first) {
            first = boundary;
        } else {
            boundary = partition(line, first, end,
                                 [&](const auto &element) { return !(pivot < element); });
            if (k < boundary)
                return; // all equal to the pivot
            first = boundary;
        }
    }
}

template <class T, class Use> auto withLine(const NativeArray &a, const Use &use) {
    auto *first = reinterpret_cast<T *>(a.data);
    return a.strides[0] == 1 ? use(Line<T, true>{first, 1})
                             : use(Line<T, false>{first, a.strides[0]});
}

// Blocks that are compared without an early exit, so that the loop is vectorised.
template <class Line> bool holdsNan(Line line, int64_t count) {
    constexpr int64_t block = 64;
    for (int64_t i = 0; i < count; i += block) {
        bool any = false;
        for (int64_t k = i, end = std::min(i + block, count); k < end; ++k)
            any |= isNan(line[k]);
        if (any)
            return true;
    }
    return false;
}

// Several accumulators at a time, for vector minimum and maximum instructions. NaN if any is.
template <class T, class Line> void extremesOf(T *ends, Line line, int64_t count) {
    constexpr int64_t width = 16;
    T low[width], high[width];
    bool hasNan[width] = {};
    std::fill_n(low, width, line[0]);
    std::fill_n(high, width, line[0]);
    auto accumulate = [&](int64_t k, T x) {
        low[k] = x < low[k] ? x : low[k];
        high[k] = x > high[k] ? x : high[k];
        hasNan[k] |= x != x;
    };
    int64_t i = 0;
    for (; i + width <= count; i += width)
        for (int64_t k = 0; k < width; ++k)
            accumulate(k, line[i + k]);
    for (; i < count; ++i)
        accumulate(0, line[i]);
    ends[0] = *std::min_element(low, low + width);
    ends[1] = *std::max_element(high, high + width);
    if (std::any_of(hasNan, hasNan + width, [](bool isNan) { return isNan; }))
        ends[0] = ends[1] = std::numeric_limits<T>::quiet_NaN();
}

template <class T> int64_t extremes(const NativeArray &ends, const NativeArray &line) {
    withLine<T>(line, [&](auto numbers) {
        extremesOf(reinterpret_cast<T *>(ends.data), numbers, line.sizes[0]);
    });
    return 0;
}

} // namespace

// (ends, array): its minimum and its maximum, NaN if it has one. A 1-D array of at least one
// element, float32 or float64.
extern "C" int64_t sc_extremes(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray ends = in.array(), line = in.array();
    return line.dtype == 'f' ? extremes<float>(ends, line) : extremes<double>(ends, line);
}

// (array, k): moves the k-th smallest to index k, and what is smaller before it. There are no NaNs.
extern "C" int64_t sc_nth(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    const int64_t k = in.number();
    return withNumbers(a.dtype, [&]<class T>() {
        withLine<T>(a, [&](auto line) { selectNth(line, a.sizes[0], k); });
        return int64_t(0);
    });
}

// (array): 1 or 0.
extern "C" int64_t sc_holds_nan(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    return withNumbers(a.dtype, [&]<class T>() {
        return int64_t(withLine<T>(a, [&](auto line) { return holdsNan(line, a.sizes[0]); }));
    });
}

SymbolTable selectSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_extremes>(),
        symbolOf<&sc_nth>(),
        symbolOf<&sc_holds_nan>(),
    };
    return table;
}

} // namespace shapecast::runtime
