// Dispatches to the kernels for the processor's vectors (see fft_kernels.h).
#include "runtime/fft_transform.h"
#include "runtime/fft_batch.h"
#include "runtime/fft_kernels.h"
#include "runtime/fft_plan.h"
#include "runtime/fft_real.h"
#include "runtime/processor.h"

#include <algorithm>

namespace shapecast::runtime {
namespace {

// Up to so many real points are transformed as complex ones with imaginary parts of 0: as half as
// many complex ones they would have a sixth less precision than NumPy's transforms.
constexpr int maxPaddedLog = 8;

#define SC_AVX512 [[SC_TARGET("avx512f,avx512dq,avx512vl,fma")]]
#define SC_AVX2 [[SC_TARGET("avx2,fma")]]

SC_AVX512 void transformBy512(const FftPlan &plan, const double *in, double *out, double factor,
                              bool isInverse, double *scratch) {
    isInverse ? fft::transformPoints<8, true>(plan, in, out, factor, scratch)
              : fft::transformPoints<8, false>(plan, in, out, factor, scratch);
}
SC_AVX512 void eightBy512(const FftPlan &plan, const double *in, int64_t inStep, double *out,
                          int64_t outStep, double factor, bool isInverse, double *work) {
    isInverse ? fft::transformEight<8, true>(plan, in, inStep, out, outStep, factor, work)
              : fft::transformEight<8, false>(plan, in, inStep, out, outStep, factor, work);
}
SC_AVX512 void mixBy512(const RealPlan &plan, const double *in, double *out, int64_t points,
                        bool isInverse) {
    isInverse ? fft::mixPoints<8, true>(plan, in, out, points)
              : fft::mixPoints<8, false>(plan, in, out, points);
}

SC_AVX2 void transformBy256(const FftPlan &plan, const double *in, double *out, double factor,
                            bool isInverse, double *scratch) {
    isInverse ? fft::transformPoints<4, true>(plan, in, out, factor, scratch)
              : fft::transformPoints<4, false>(plan, in, out, factor, scratch);
}
SC_AVX2 void eightBy256(const FftPlan &plan, const double *in, int64_t inStep, double *out,
                        int64_t outStep, double factor, bool isInverse, double *work) {
    isInverse ? fft::transformEight<4, true>(plan, in, inStep, out, outStep, factor, work)
              : fft::transformEight<4, false>(plan, in, inStep, out, outStep, factor, work);
}
SC_AVX2 void mixBy256(const RealPlan &plan, const double *in, double *out, int64_t points,
                      bool isInverse) {
    isInverse ? fft::mixPoints<4, true>(plan, in, out, points)
              : fft::mixPoints<4, false>(plan, in, out, points);
}
SC_AVX2 void eightReals(const double *in, double *out, double factor) {
    fft::transformEightReals(in, out, factor);
}

bool hasAvx512() {
    static const bool known =
        SC_PROCESSOR_HAS("avx512f") && SC_PROCESSOR_HAS("avx512dq") && SC_PROCESSOR_HAS("avx512vl");
    return known;
}

void mix(int log2Points, const double *in, double *out, bool isInverse) {
    const RealPlan &plan = *realPlan(log2Points);
    const int64_t points = int64_t{1} << log2Points;
    hasAvx512() ? mixBy512(plan, in, out, points, isInverse)
                : mixBy256(plan, in, out, points, isInverse);
}

} // namespace

bool hasFft() {
    static const bool known = hasFusedVectors();
    return known;
}

int64_t fftScratch(int log2Points) {
    const int64_t points = int64_t{1} << log2Points;
    return 2 * points + 16 * (int64_t{1} << (log2Points + 1) / 2);
}

int64_t realFftScratch(int log2Points) {
    return log2Points <= maxPaddedLog ? (int64_t{2} << log2Points) + fftScratch(log2Points)
                                      : fftScratch(log2Points - 1);
}

void transformComplex(int log2Points, const double *in, double *out, double factor, bool isInverse,
                      double *scratch) {
    if (hasAvx512())
        transformBy512(*fftPlan(log2Points, 8), in, out, factor, isInverse, scratch);
    else
        transformBy256(*fftPlan(log2Points, 4), in, out, factor, isInverse, scratch);
}

void transformReal(int log2Points, const double *in, double *out, double factor, double *scratch) {
    const int64_t points = int64_t{1} << log2Points;
    if (log2Points == minFftLog) {
        eightReals(in, out, factor);
    } else if (log2Points <= maxPaddedLog) {
        for (int64_t k = 0; k < points; ++k) {
            scratch[2 * k] = in[k];
            scratch[2 * k + 1] = 0;
        }
        transformComplex(log2Points, scratch, scratch, factor, false, scratch + 2 * points);
        std::copy_n(scratch, points + 2, out);
    } else {
        transformComplex(log2Points - 1, in, out, factor * 0.5, false, scratch);
        const double even = 2 * out[0], odd = 2 * out[1];
        mix(log2Points - 1, out, out, false);
        out[0] = even + odd;
        out[points] = even - odd;
    }
    out[1] = out[points + 1] = 0;
}

void transformToReal(int log2Points, const double *in, double *out, double factor,
                     double *scratch) {
    const int64_t points = int64_t{1} << log2Points;
    if (log2Points <= maxPaddedLog) {
        std::copy_n(in, points + 2, scratch);
        scratch[1] = scratch[points + 1] = 0;
        for (int64_t k = 1; k < points / 2; ++k) {
            scratch[2 * (points - k)] = in[2 * k];
            scratch[2 * (points - k) + 1] = -in[2 * k + 1];
        }
        transformComplex(log2Points, scratch, scratch, factor, true, scratch + 2 * points);
        for (int64_t k = 0; k < points; ++k)
            out[k] = scratch[2 * k];
    } else {
        const double first = in[0], last = in[points];
        mix(log2Points - 1, in, out, true);
        out[0] = first + last;
        out[1] = first - last;
        transformComplex(log2Points - 1, out, out, factor, true, scratch);
    }
}

void transformEight(int log2Points, const double *in, int64_t inStep, double *out, int64_t outStep,
                    double factor, bool isInverse, double *scratch) {
    if (hasAvx512())
        eightBy512(*fftPlan(log2Points, 8), in, inStep, out, outStep, factor, isInverse, scratch);
    else
        eightBy256(*fftPlan(log2Points, 4), in, inStep, out, outStep, factor, isInverse, scratch);
}

} // namespace shapecast::runtime
