// Poisson numbers for means from 10 on, NumPy's bit for bit: W. Hoermann's transformed rejection
// (1993; numpy/random/src/distributions/distributions.c: random_poisson_ptrs). What depends on the
// mean alone, half of the work, is cached for the next number.
#pragma once

#include "runtime/source.h"

#include <array>
#include <atomic>
#include <cmath>

namespace shapecast::runtime {

class Poisson {
public:
    using LogGamma = double (*)(double); // NumPy's own

    int64_t draw(const Source &source, double lam, LogGamma logGamma) {
        if (lam != mean)
            prepare(lam);
        for (;;) {
            const double u = source.nextDouble() - 0.5, v = source.nextDouble();
            const double us = 0.5 - std::fabs(u);
            const auto k = static_cast<int64_t>(std::floor((2 * a / us + b) * u + lam + 0.43));
            if (us >= 0.07 && v <= vr)
                return k;
            if (k < 0 || (us < 0.013 && v > us))
                continue;
            if (std::log(v) + logInverse - std::log(a / (us * us) + b) <=
                -lam + double(k) * logMean - logFactorial(k, logGamma))
                return k;
        }
    }

private:
    // Cached for small numbers, for all generators: NumPy's function takes a dozen divisions.
    static double logFactorial(int64_t k, LogGamma logGamma) {
        static std::array<std::atomic<double>, 512> known; // 0: not computed yet
        if (k >= int64_t(known.size()))
            return logGamma(double(k + 1));
        double value = known[size_t(k)].load(std::memory_order_relaxed);
        if (value == 0)
            known[size_t(k)].store(value = logGamma(double(k + 1)), std::memory_order_relaxed);
        return value;
    }

    void prepare(double lam) {
        mean = lam;
        logMean = std::log(lam);
        b = 0.931 + 2.53 * std::sqrt(lam);
        a = -0.059 + 0.02483 * b;
        logInverse = std::log(1.1239 + 1.1328 / (b - 3.4));
        vr = 0.9277 - 3.6224 / (b - 2);
    }

    double mean = 0, logMean = 0, a = 0, b = 0, logInverse = 0, vr = 0;
};

} // namespace shapecast::runtime
