// Transforms of a power of two of float64 points.
#pragma once

#include <cstdint>

namespace shapecast::runtime {

bool hasFft(); // whether the processor has instructions that the code is written for

// Of 2^log2Points complex numbers side by side, 8 at least; in place or not. `scratch` has room for
// fftScratch(log2Points) numbers and is aligned to 64 bytes.
void transformComplex(int log2Points, const double *in, double *out, double factor, bool isInverse,
                      double *scratch);
int64_t fftScratch(int log2Points);

// From 2^log2Points real numbers to half as many complex ones and one more, and back; in place or
// not. The scratch has room for realFftScratch(log2Points) numbers.
void transformReal(int log2Points, const double *in, double *out, double factor, double *scratch);
void transformToReal(int log2Points, const double *in, double *out, double factor, double *scratch);
int64_t realFftScratch(int log2Points);

// Eight complex transforms at once, with the bits of the function above. The eight's points are
// neighbours in memory; from each point to the next it is so many numbers. `scratch` has room for
// 16 << log2Points numbers.
inline constexpr int leastLogOfEight = 4, mostLogOfEight = 8;
void transformEight(int log2Points, const double *in, int64_t inStep, double *out, int64_t outStep,
                    double factor, bool isInverse, double *scratch);

} // namespace shapecast::runtime
