// Distributions of RandomState, which differ from Generator's: NumPy does not export them
// (numpy/random/src/legacy), so they are reimplemented here.
//
// Their streams are frozen, bit for bit. So each formula is spelt as NumPy's is, and nothing here
// may be contracted to a fused multiply-add (src/CMakeLists.txt).
#pragma once

#include "runtime/source.h"

#include <bit>
#include <cmath>
#include <utility>

namespace shapecast::runtime::legacy {

// The polar method: two numbers at a time.
inline double standardNormal(const Source &source) {
    CachedGauss &cached = *source.cachedGauss;
    if (cached.hasGauss) {
        cached.hasGauss = 0;
        return std::exchange(cached.gauss, 0.0);
    }
    double x, y, square;
    do {
        x = 2.0 * source.nextDouble() - 1.0;
        y = 2.0 * source.nextDouble() - 1.0;
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    const double factor = std::sqrt(-2.0 * std::log(square) / square);
    cached.gauss = factor * x;
    cached.hasGauss = 1;
    return factor * y;
}

inline double normal(const Source &source, double loc, double scale) {
    return loc + scale * standardNormal(source);
}

inline double standardExponential(const Source &source) {
    return -std::log(1.0 - source.nextDouble());
}

inline double exponential(const Source &source, double scale) {
    return scale * standardExponential(source);
}

double powerOf(double x, double y); // std::pow, with a fast path for squares and roots

double lognormal(const Source &source, double mean, double sigma);
double standardGamma(const Source &source, double shape);
double gamma(const Source &source, double shape, double scale);
double beta(const Source &source, double a, double b);
double chisquare(const Source &source, double df);
double standardT(const Source &source, double df);
double pareto(const Source &source, double a);
double weibull(const Source &source, double a);
double power(const Source &source, double a);
double rayleigh(const Source &source, double scale);
double wald(const Source &source, double mean, double scale);

} // namespace shapecast::runtime::legacy
