// Fourier transforms: vectors of four and of eight numbers give the same bits (the latter here
// without AVX-512, by two instructions each), so do eight transforms at once, and all are near the
// results in extended precision.
#include "runtime/fft_batch.h"
#include "runtime/fft_kernels.h"
#include "runtime/fft_real.h"
#include "runtime/fft_transform.h"
#include "runtime/processor.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <numbers>
#include <random>
#include <vector>

using namespace shapecast::runtime;

namespace {

using Numbers = std::vector<double>;
using Wide = std::complex<long double>;

// Memory for transforms, aligned as they want it.
struct Scratch {
    explicit Scratch(int64_t numbers) : lines(numbers / 8 + 1) {}
    double *begin() { return lines.data()->numbers; }
    std::vector<CacheLine> lines;
};

Numbers randomNumbers(int64_t count) {
    std::mt19937_64 engine(count);
    std::normal_distribution<double> normal;
    Numbers numbers(count);
    for (double &x : numbers)
        x = normal(engine);
    return numbers;
}

[[SC_TARGET("avx2,fma")]] void byEights(const FftPlan &plan, const double *in, double *out,
                                        bool isInverse, double *scratch) {
    isInverse ? fft::transformPoints<8, true>(plan, in, out, 0.75, scratch)
              : fft::transformPoints<8, false>(plan, in, out, 0.75, scratch);
}
[[SC_TARGET("avx2,fma")]] void eightByEights(const FftPlan &plan, const double *in, double *out,
                                             int64_t step, double *work) {
    fft::transformEight<8, false>(plan, in, step, out, step, 1, work);
}
[[SC_TARGET("avx2,fma")]] void mixByEights(const RealPlan &plan, const double *in, double *out,
                                           int64_t points, bool isInverse) {
    isInverse ? fft::mixPoints<8, true>(plan, in, out, points)
              : fft::mixPoints<8, false>(plan, in, out, points);
}
[[SC_TARGET("avx2,fma")]] void mixByFours(const RealPlan &plan, const double *in, double *out,
                                          int64_t points, bool isInverse) {
    isInverse ? fft::mixPoints<4, true>(plan, in, out, points)
              : fft::mixPoints<4, false>(plan, in, out, points);
}

bool sameBits(const Numbers &a, const Numbers &b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void checkWidths(int log2Points) {
    const int64_t points = int64_t{1} << log2Points;
    const Numbers in = randomNumbers(2 * points + 2);
    Scratch scratch(fftScratch(log2Points));
    Numbers by4(2 * points), by8(2 * points);
    for (const bool isInverse : {false, true}) {
        transformComplex(log2Points, in.data(), by4.data(), 0.75, isInverse, scratch.begin());
        byEights(*fftPlan(log2Points, 8), in.data(), by8.data(), isInverse, scratch.begin());
        assert(sameBits(by4, by8));
        Numbers mixedBy4(in.size()), mixedBy8(in.size());
        mixByFours(*realPlan(log2Points), in.data(), mixedBy4.data(), points, isInverse);
        mixByEights(*realPlan(log2Points), in.data(), mixedBy8.data(), points, isInverse);
        assert(sameBits(mixedBy4, mixedBy8));
    }
}

void checkEight(int log2Points) {
    const int64_t points = int64_t{1} << log2Points, step = 2 * 11; // 11 transforms, interleaved
    const Numbers in = randomNumbers(step * points);
    Numbers by4(in.size()), by8(in.size()), row(2 * points), one(2 * points);
    Scratch work(16 * points), scratch(fftScratch(log2Points));
    transformEight(log2Points, in.data(), step, by4.data(), step, 1, false, work.begin());
    eightByEights(*fftPlan(log2Points, 8), in.data(), by8.data(), step, work.begin());
    assert(sameBits(by4, by8));
    for (int k = 0; k < 8; ++k) {
        for (int64_t j = 0; j < points; ++j)
            std::copy_n(&in[step * j + 2 * k], 2, &row[2 * j]);
        transformComplex(log2Points, row.data(), one.data(), 1, false, scratch.begin());
        for (int64_t j = 0; j < points; ++j)
            assert(std::memcmp(&one[2 * j], &by4[step * j + 2 * k], 16) == 0);
    }
}

void transformWide(std::vector<Wide> &x) {
    const size_t half = x.size() / 2;
    if (half == 0)
        return;
    std::vector<Wide> even(half), odd(half);
    for (size_t k = 0; k < half; ++k) {
        even[k] = x[2 * k];
        odd[k] = x[2 * k + 1];
    }
    transformWide(even);
    transformWide(odd);
    for (size_t k = 0; k < half; ++k) {
        const Wide product =
            odd[k] * std::polar(1.0L, -std::numbers::pi_v<long double> * (long double)k / half);
        x[k] = even[k] + product;
        x[k + half] = even[k] - product;
    }
}

// In units of the last place of the results' root mean square.
void checkAccuracy(int log2Points) {
    const int64_t points = int64_t{1} << log2Points;
    const Numbers in = randomNumbers(2 * points);
    Numbers out(2 * points);
    Scratch scratch(fftScratch(log2Points));
    transformComplex(log2Points, in.data(), out.data(), 1, false, scratch.begin());
    std::vector<Wide> want(points);
    for (int64_t k = 0; k < points; ++k)
        want[k] = {in[2 * k], in[2 * k + 1]};
    transformWide(want);
    long double error = 0, size = 0;
    for (int64_t k = 0; k < points; ++k) {
        error += std::norm(want[k] - Wide(out[2 * k], out[2 * k + 1]));
        size += std::norm(want[k]);
    }
    const long double rms = std::sqrt(error / size) * 0x1p52L;
    if (rms > 0.35L * std::sqrt((long double)log2Points)) {
        std::printf("2^%d points: root mean square error of %Lg ULP\n", log2Points, rms);
        std::abort();
    }
}

} // namespace

int main() {
    if (!hasFft())
        return 0;
    for (int log2Points = minFftLog; log2Points <= 17; ++log2Points) {
        checkWidths(log2Points);
        checkAccuracy(log2Points);
    }
    for (int log2Points = minLogOfEight; log2Points <= 12; ++log2Points)
        checkEight(log2Points);
}
