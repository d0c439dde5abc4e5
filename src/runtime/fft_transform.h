// Fourier transforms of a power of two of float64 points.
#pragma once

#include <cstdint>

namespace shapecast::runtime {

bool hasFft(); // whether the processor has AVX2 and FMA, or is ARM's

// Of 2^log2Points contiguous complex numbers, 8 at least; in place or not. `scratch` has room for
// fftScratch(log2Points) numbers and is aligned to 64 bytes.
void transformComplex(int log2Points, const double *in, double *out, double factor, bool isInverse,
                      double *scratch);
int64_t fftScratch(int log2Points);

// From 2^log2Points real numbers to half as many complex ones and one more, and back; in place or
// not. The scratch has room for realFftScratch(log2Points) numbers.
void transformReal(int log2Points, const double *in, double *out, double factor, double *scratch);
void transformToReal(int log2Points, const double *in, double *out, double factor, double *scratch);
int64_t realFftScratch(int log2Points);

// Eight complex transforms at once, bit-identical to transformComplex. The eight's points are
// contiguous in memory; the steps from point to point are in numbers. `scratch` has room for
// 16 << log2Points numbers.
inline constexpr int minLogOfEight = 4, maxLogOfEight = 8;
void transformEight(int log2Points, const double *in, int64_t inStep, double *out, int64_t outStep,
                    double factor, bool isInverse, double *scratch);

} // namespace shapecast::runtime
