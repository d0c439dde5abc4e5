// The FFT kernels, for vectors of any width: fft_transform.cpp compiles them for each instruction
// set.
//
// They work on rows: the real parts of a block of columns, then their imaginary parts.
#pragma once

#include "runtime/fft_plan.h"
#include "runtime/fft_vectors.h"

namespace shapecast::runtime::fft {

//===-- Butterflies

template <int W> SC_INLINE void transform2(Pair<W> &a, Pair<W> &b) {
    const Pair<W> sum = a + b;
    b = a - b;
    a = sum;
}
template <int W> SC_INLINE void transform4(Pair<W> &a, Pair<W> &b, Pair<W> &c, Pair<W> &d) {
    transform2<W>(a, c);
    transform2<W>(b, d);
    const Pair<W> rotated = timesMinusI<W>(d);
    d = c - rotated;
    const Pair<W> second = c + rotated;
    transform2<W>(a, b);
    c = b;
    b = second;
}
template <int W, int radix> SC_INLINE void transform(Pair<W> (&x)[radix]) {
    if constexpr (radix == 2) {
        transform2<W>(x[0], x[1]);
    } else if constexpr (radix == 4) {
        transform4<W>(x[0], x[1], x[2], x[3]);
    } else {
        constexpr double sqrtHalf = 0.70710678118654752440;
        for (int k = 0; k < 4; ++k)
            transform2<W>(x[k], x[k + 4]);
        const Pair<W> b = x[5], d = x[7];
        x[5] = {(b.re + b.im) * sqrtHalf, (b.im - b.re) * sqrtHalf};
        x[6] = timesMinusI<W>(x[6]);
        x[7] = {(d.im - d.re) * sqrtHalf, -((d.re + d.im) * sqrtHalf)};
        transform4<W>(x[0], x[1], x[2], x[3]);
        transform4<W>(x[4], x[5], x[6], x[7]);
        const Pair<W> y[8] = {x[0], x[4], x[1], x[5], x[2], x[6], x[3], x[7]};
        for (int k = 0; k < 8; ++k)
            x[k] = y[k];
    }
}

//===-- Passes over a block of columns

template <int W> SC_INLINE Pair<W> splat(const double *root) { return {root[0], root[1]}; }

template <int B> SC_INLINE double *rowAt(double *rows, int64_t k) { return rows + 2 * B * k; }

// The input of the first pass: pairs in memory, `step` numbers from row to row; those of the next
// block are prefetched. Null for other passes.
struct Source {
    const double *pairs = nullptr;
    int64_t step = 0;
};

// One pass over all columns' `blocks` sub-columns, each of radix * step rows `rowStride`
// rows apart.
template <int W, int B, int radix, bool isFirst, bool swapped>
SC_INLINE void pass(double *rows, int rowStride, int blocks, int step, const double *roots,
                    Source from) {
    for (int block = 0; block < blocks; ++block) {
        double *const sub = rowAt<B>(rows, int64_t(block) * radix * step * rowStride);
        const double *root = roots;
        for (int p = 0; p < step; ++p, root += 2 * (radix - 1)) {
            for (int half = 0; half < B; half += W) {
                Pair<W> x[radix];
                for (int k = 0; k < radix; ++k)
                    if constexpr (isFirst) {
                        const double *const pairs =
                            from.pairs + from.step * (p + k * step) + 2 * half;
                        x[k] = loadPairs<W, swapped>(pairs);
                        __builtin_prefetch(pairs + 2 * B);
                    } else
                        x[k] = loadRow<B, W>(rowAt<B>(sub, (p + k * step) * rowStride) + half);
                transform<W, radix>(x);
                storeRow<B, W>(rowAt<B>(sub, p * rowStride) + half, x[0]);
                for (int k = 1; k < radix; ++k)
                    storeRow<B, W>(rowAt<B>(sub, (p + k * step) * rowStride) + half,
                                   step == 1 ? x[k] : x[k] * splat<W>(root + 2 * (k - 1)));
            }
        }
    }
}

// State of a block of columns between passes: its sub-columns, and the points of each.
struct Progress {
    int blocks, left;
};

template <int W, int B, bool isFirst, bool swapped>
SC_INLINE void passOf(const ColumnPlan &plan, int number, Progress &at, double *rows, int rowStride,
                      Source from) {
    const int radix = plan.radices[number];
    const double *roots = numbersOf(plan.roots) + plan.rootsFrom[number];
    at.left /= radix;
    if (radix == 4)
        pass<W, B, 4, isFirst, swapped>(rows, rowStride, at.blocks, at.left, roots, from);
    else if (radix == 8)
        pass<W, B, 8, isFirst, swapped>(rows, rowStride, at.blocks, at.left, roots, from);
    else
        pass<W, B, 2, isFirst, swapped>(rows, rowStride, at.blocks, at.left, roots, from);
    at.blocks *= radix;
}

// The last pass, which stores its results as pairs in memory in natural order.
template <int W, int B, int radix, bool swapped>
SC_INLINE void lastPass(const ColumnPlan &plan, const double *rows, double *to, int64_t toStep,
                        double factor) {
    const int step = plan.points / radix;
    for (int k = 0; k < step; ++k) {
        const double *const sub = rows + int64_t(2 * B) * plan.rowOf[k];
        for (int half = 0; half < B; half += W) {
            Pair<W> x[radix];
            for (int j = 0; j < radix; ++j)
                x[j] = loadRow<B, W>(sub + 2 * B * j + half);
            transform<W, radix>(x);
            for (int j = 0; j < radix; ++j) {
                double *const pairs = to + toStep * (k + int64_t(j) * step) + 2 * half;
                storePairs<W, swapped>(pairs, {x[j].re * factor, x[j].im * factor});
                __builtin_prefetch(pairs + 2 * B, 1);
            }
        }
    }
}

template <int W, int B, bool swapped>
SC_INLINE void lastPassOf(const ColumnPlan &plan, const double *rows, double *to, int64_t toStep,
                          double factor) {
    const int radix = plan.radices[plan.passes - 1];
    if (radix == 4)
        lastPass<W, B, 4, swapped>(plan, rows, to, toStep, factor);
    else if (radix == 8)
        lastPass<W, B, 8, swapped>(plan, rows, to, toStep, factor);
    else
        lastPass<W, B, 2, swapped>(plan, rows, to, toStep, factor);
}

//===-- Twiddle and transpose

// Multiplies the results of a block of columns by their twiddle factors, transposes B rows at a
// time, and stores them as rows of `to`'s blocks, one for each of the B rows.
template <int W, int B>
SC_INLINE void twiddleAndTranspose(const ColumnPlan &columns, const double *rows,
                                   const double *fine, const double *coarse, double *to,
                                   int64_t toStep) {
    for (int tile = 0; tile < columns.points; tile += B, to += toStep) {
        for (int down = 0; down < B; down += W) {
            for (int half = 0; half < B; half += W) {
                Vector<W> re[W], im[W];
                for (int lane = 0; lane < W; ++lane) {
                    const int k = tile + down + columnOf(lane, W);
                    Pair<W> root = loadRow<B, W>(fine + 2 * B * int64_t(k) + half);
                    if (coarse)
                        root = root * splat<W>(coarse + 2 * k);
                    const Pair<W> x =
                        loadRow<B, W>(rows + 2 * B * int64_t(columns.rowOf[k]) + half) * root;
                    re[lane] = x.re;
                    im[lane] = x.im;
                }
                transpose<W>(re);
                transpose<W>(im);
                for (int lane = 0; lane < W; ++lane)
                    storeRow<B, W>(to + 2 * B * (half + columnOf(lane, W)) + down,
                                   {re[lane], im[lane]});
            }
        }
    }
}

//===-- A whole transform

// `scratch`: as many numbers as the points have, and `block` columns more. `in` and `out` may be
// the same.
template <int W, int B, bool swapped>
SC_INLINE void transformPoints(const FftPlan &plan, const double *in, double *out, double factor,
                               double *scratch) {
    const int n1 = plan.columns.points, n2 = plan.rows.points;
    double *const block = scratch + 2 * plan.points;
    const int64_t blockSize = int64_t(2 * B) * n2;
    for (int b = 0; b < n2 / B; ++b) {
        Progress at{1, n1};
        passOf<W, B, true, swapped>(plan.columns, 0, at, block, 1,
                                    {in + 2 * B * b, int64_t(2) * n2});
        for (int k = 1; k < plan.columns.passes; ++k)
            passOf<W, B, false, swapped>(plan.columns, k, at, block, 1, {});
        const double *fine = numbersOf(plan.fine);
        double *const to = scratch + int64_t(2 * B) * B * b;
        if (plan.isWhole())
            twiddleAndTranspose<W, B>(plan.columns, block, fine + int64_t(2 * B) * n1 * b, nullptr,
                                      to, blockSize);
        else
            twiddleAndTranspose<W, B>(plan.columns, block, fine,
                                      numbersOf(plan.coarse) + int64_t(2) * n1 * b, to, blockSize);
    }
    for (int b = 0; b < n1 / B; ++b) {
        double *const rows = scratch + blockSize * b;
        Progress at{1, n2};
        for (int k = 0; k + 1 < plan.rows.passes; ++k)
            passOf<W, B, false, swapped>(plan.rows, k, at, rows, 1, {});
        lastPassOf<W, B, swapped>(plan.rows, rows, out + 2 * B * b, int64_t(2) * n1, factor);
    }
}

// 16 or 32 points, four times n1, in registers except for spills.
template <int n1, bool swapped>
SC_INLINE void transformFew(const double *fine, const double *in, double *out, double factor) {
    Pair<4> x[n1];
    for (int k = 0; k < n1; ++k)
        x[k] = loadPairs<4, swapped>(in + 8 * k);
    transform<4, n1>(x);
    for (int tile = 0; tile < n1; tile += 4) {
        Vector<4> re[4], im[4];
        for (int lane = 0; lane < 4; ++lane) {
            const int k = tile + columnOf(lane, 4);
            const Pair<4> product = x[k] * loadRow<4, 4>(fine + 8 * k);
            re[lane] = product.re;
            im[lane] = product.im;
        }
        transpose<4>(re);
        transpose<4>(im);
        Pair<4> y[4];
        for (int lane = 0; lane < 4; ++lane)
            y[columnOf(lane, 4)] = {re[lane], im[lane]};
        transform<4, 4>(y);
        for (int k = 0; k < 4; ++k)
            storePairs<4, swapped>(out + 2 * (tile + n1 * k), {y[k].re * factor, y[k].im * factor});
    }
}

// Eight points, in registers: two rows of four, each in the lane order of loadPairs; after the
// transposition the columns are pairs of numbers. The results are four vectors of two pairs.
SC_INLINE void transformEightPoints(Pair<4> a, Pair<4> b, Vector<4> (&results)[4]) {
    constexpr double root = 0.70710678118654752440; // of 1/2
    transform2<4>(a, b);
    b = b * Pair<4>{{1, 0, root, -root}, {0, -1, -root, -root}};
    Vector<4> v[4] = {a.re, a.im, b.re, b.im};
    transpose<4>(v); // points 0 2 1 3 of both rows
    const Vector<4> even = v[0] + v[1], evenLess = v[0] - v[1], odd = v[2] + v[3];
    const Vector<4> d = v[2] - v[3];
    const Vector<4> rotated = __builtin_shufflevector(d, -d, 1, 4, 3, 6); // times -i
    results[0] = even + odd;
    results[1] = evenLess + rotated;
    results[2] = even - odd;
    results[3] = evenLess - rotated;
}

template <bool swapped>
SC_INLINE void transformEightPoints(const double *in, double *out, double factor) {
    Vector<4> results[4];
    transformEightPoints(loadPairs<4, swapped>(in), loadPairs<4, swapped>(in + 8), results);
    for (int k = 0; k < 4; ++k) {
        const Vector<4> r = results[k] * factor;
        store<4>(out + 4 * k, swapped ? __builtin_shufflevector(r, r, 1, 0, 3, 2) : r);
    }
}

// Of real points: the non-redundant half of the spectrum, and the Nyquist element.
SC_INLINE void transformEightReals(const double *in, double *out, double factor) {
    const Vector<4> a = load<4>(in), b = load<4>(in + 4);
    Vector<4> results[4];
    transformEightPoints({__builtin_shufflevector(a, a, 0, 2, 1, 3), Vector<4>(0)},
                         {__builtin_shufflevector(b, b, 0, 2, 1, 3), Vector<4>(0)}, results);
    store<4>(out, results[0] * factor);
    store<4>(out + 4, results[1] * factor);
    out[8] = results[2][0] * factor;
}

template <int W, bool swapped>
SC_INLINE void transformPoints(const FftPlan &plan, const double *in, double *out, double factor,
                               double *scratch) {
    if (plan.block == 8)
        transformPoints<W, 8, swapped>(plan, in, out, factor, scratch);
    else if (plan.points == 32)
        transformFew<8, swapped>(numbersOf(plan.fine), in, out, factor);
    else if (plan.points == 16)
        transformFew<4, swapped>(numbersOf(plan.fine), in, out, factor);
    else
        transformEightPoints<swapped>(in, out, factor);
}

} // namespace shapecast::runtime::fft
