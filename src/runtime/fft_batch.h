// Eight transforms at once, whose points are strided while those of the eight are contiguous, as
// along the first axis of a matrix: each is in one lane of vectors, so that nothing is moved
// between lanes. The computation is transformPoints's: results are bit-identical.
#pragma once

#include "runtime/fft_kernels.h"

namespace shapecast::runtime::fft {

// `work`: for each point a row of the eight transforms' real and imaginary parts. The plan's
// twiddle table is whole. Steps from point to point are in numbers.
template <int W, bool swapped>
SC_INLINE void transformEight(const FftPlan &plan, const double *in, int64_t inStep, double *out,
                              int64_t outStep, double factor, double *work) {
    constexpr int B = 8;
    const ColumnPlan &columns = plan.columns;
    const int n1 = columns.points, n2 = plan.rows.points;
    for (int j = 0; j < n2; ++j) {
        double *const column = rowAt<B>(work, j);
        Progress at{1, n1};
        passOf<W, B, true, swapped>(columns, 0, at, column, n2, {in + inStep * j, inStep * n2});
        for (int k = 1; k < columns.passes; ++k)
            passOf<W, B, false, swapped>(columns, k, at, column, n2, {});
        for (int k = 0; k < n1; ++k) {
            const double *root = plan.twiddleOf(k, j);
            const Pair<W> twiddle{Vector<W>(root[0]), Vector<W>(root[plan.block])};
            double *const row = rowAt<B>(column, int64_t(columns.rowOf[k]) * n2);
            for (int half = 0; half < B; half += W)
                storeRow<B, W>(row + half, loadRow<B, W>(row + half) * twiddle);
        }
    }
    for (int k = 0; k < n1; ++k) {
        double *const rows = rowAt<B>(work, int64_t(columns.rowOf[k]) * n2);
        Progress at{1, n2};
        for (int pass = 0; pass + 1 < plan.rows.passes; ++pass)
            passOf<W, B, false, swapped>(plan.rows, pass, at, rows, 1, {});
        lastPassOf<W, B, swapped>(plan.rows, rows, out + outStep * k, outStep * n1, factor);
    }
}

} // namespace shapecast::runtime::fft
