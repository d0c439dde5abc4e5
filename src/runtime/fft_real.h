// Transforms of 2n real points by one of n complex ones (pairs of points): the pass that follows
// it, or precedes the inverse.
#pragma once

#include "runtime/fft_plan.h"
#include "runtime/fft_vectors.h"

#include <cstdint>

namespace shapecast::runtime::fft {

template <int W, int... k>
SC_INLINE Vector<W> reversed(Vector<W> v, std::integer_sequence<int, k...>) {
    return __builtin_shufflevector(v, v, (W - 1 - k)...);
}
template <int W> SC_INLINE Pair<W> reversed(Pair<W> p) {
    return {reversed<W>(p.re, std::make_integer_sequence<int, W>()),
            reversed<W>(p.im, std::make_integer_sequence<int, W>())};
}

// With lanes in order: for numbers that are combined with tables.
template <int W, int... k>
SC_INLINE Pair<W> evenAndOdd(Vector<W> a, Vector<W> b, std::integer_sequence<int, k...>) {
    return {__builtin_shufflevector(a, b, (2 * k)...),
            __builtin_shufflevector(a, b, (2 * k + 1)...)};
}
template <int W> SC_INLINE Pair<W> loadInOrder(const double *from) {
    return evenAndOdd<W>(load<W>(from), load<W>(from + W), std::make_integer_sequence<int, W>());
}
template <int W, int... k>
SC_INLINE void storeInOrder(double *to, Pair<W> p, std::integer_sequence<int, k...>) {
    store<W>(to, __builtin_shufflevector(p.re, p.im, (k / 2 + k % 2 * W)...));
    store<W>(to + W, __builtin_shufflevector(p.re, p.im, (W / 2 + k / 2 + k % 2 * W)...));
}

// x[k] and x[points - k] at once, W of them. The sum of x[k] and the conjugate of x[points - k],
// and their difference times the twiddle factor, are the spectra of the even and the odd points.
template <int W, bool isInverse> SC_INLINE void mix(Pair<W> &low, Pair<W> &high, Pair<W> root) {
    if (isInverse)
        root.im = -root.im;
    const Pair<W> other{high.re, -high.im}, sum = low + other, d = low - other;
    low = {fused<W>(d.re, root.re, fused<W>(-d.im, root.im, sum.re)),
           fused<W>(d.re, root.im, fused<W>(d.im, root.re, sum.im))};
    high = {fused<W>(-d.re, root.re, fused<W>(d.im, root.im, sum.re)),
            fused<W>(d.re, root.im, fused<W>(d.im, root.re, -sum.im))};
}

// From the spectrum of pairs of points to that of the points (half of it, times 2), or back. The
// first and the last element are the caller's. `in` and `out` may be the same.
template <int W, bool isInverse>
SC_INLINE void mixPoints(const RealPlan &plan, const double *in, double *out, int64_t points) {
    const double *fine = numbersOf(plan.fine), *coarse = numbersOf(plan.coarse);
    const bool isWhole = plan.coarse.empty();
    const int64_t middle = points / 2;
    int64_t k = 1;
    for (int64_t row = 0; k + 7 < middle; ++row, k += 8) {
        for (int half = 0; half < 8; half += W) {
            Pair<W> root = loadRow<8, W>(fine + (isWhole ? 16 * row : 0) + half);
            if (!isWhole)
                root = root * splat<W>(coarse + 2 * row);
            const int64_t at = k + half, mirror = points - at - W + 1;
            Pair<W> low = loadInOrder<W>(in + 2 * at);
            Pair<W> high = reversed<W>(loadInOrder<W>(in + 2 * mirror));
            mix<W, isInverse>(low, high, root);
            constexpr std::make_integer_sequence<int, W> lanes;
            storeInOrder<W>(out + 2 * at, low, lanes);
            storeInOrder<W>(out + 2 * mirror, reversed<W>(high), lanes);
        }
    }
    for (int64_t row = k / 8, first = k; k < middle; ++k) {
        Pair<1> root = loadRow<8, 1>(fine + (isWhole ? 16 * row : 0) + (k - first));
        if (!isWhole)
            root = root * splat<1>(coarse + 2 * row);
        Pair<1> low{in[2 * k], in[2 * k + 1]}, high{in[2 * (points - k)], in[2 * (points - k) + 1]};
        mix<1, isInverse>(low, high, root);
        storeRow<1, 1>(out + 2 * k, low);
        storeRow<1, 1>(out + 2 * (points - k), high);
    }
    out[2 * middle] = 2 * in[2 * middle];
    out[2 * middle + 1] = -2 * in[2 * middle + 1];
}

} // namespace shapecast::runtime::fft
