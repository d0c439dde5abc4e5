// Random numbers without Python: NumPy's distributions, drawn from NumPy's bit generators.
//
// sc_draw_<name>(ctx, slots) gives a number; sc_fill_<name> fills a contiguous array with numbers
// of the same parameters, sc_each_<name> any one, its parameters are arrays of its shape. The
// operands are the array, the generator (its object's address, 0 for the one behind np.random.rand
// and the like), the parameters. (See random.cpp; slots are explained in native.h.)
#pragma once

#include "runtime/abi.h"
#include "runtime/source.h"

struct s_binomial_t; // NumPy's, in numpy/random/distributions.h, which includes Python.h

namespace shapecast::runtime {

// A generator that the call draws from; its lock is held.
struct Drawn {
    const void *generator;
    Source source;
    Drawn *next;
};
static_assert(offsetof(Drawn, generator) == 8 * drawnGeneratorSlot);
static_assert(offsetof(Drawn, source.mt19937) == 8 * drawnMt19937Slot);

// What finds a generator's bits, takes its lock, and puts it first in ctx->drawn: the caller's.
// False: an exception is set, the call ends.
using Opener = bool (*)(Context *ctx, void *generator);
void setOpener(Opener opener);

// Functions of numpy/random/distributions.h, by their names without "random_": those of the
// NumPy that is loaded, so that the numbers are its own whatever it was that we were built with.
struct Distributions {
    template <class... P> using Real = double (*)(bitgen_t *, P...);
    template <class... P> using Integer = int64_t (*)(bitgen_t *, P...);
    template <class T> using Fill = void (*)(bitgen_t *, intptr_t count, T *out);
    template <class T>
    using Bounded = void (*)(bitgen_t *, T low, T range, intptr_t count, bool masked, T *out);

    Fill<double> standard_uniform_fill, standard_normal_fill, standard_exponential_fill,
        standard_exponential_inv_fill;
    Fill<float> standard_uniform_fill_f, standard_normal_fill_f, standard_exponential_fill_f,
        standard_exponential_inv_fill_f;
    Real<> standard_normal, standard_exponential, standard_cauchy;
    Real<double> exponential, standard_gamma, chisquare, standard_t, pareto, weibull, power,
        rayleigh;
    Real<double, double> uniform, normal, gamma, beta, f, laplace, gumbel, logistic, lognormal,
        wald, vonmises;
    Real<double, double, double> triangular;
    Integer<double> poisson, geometric;
    Integer<double, int64_t, s_binomial_t *> binomial;
    Bounded<uint64_t> bounded_uint64_fill;
    Bounded<uint32_t> bounded_uint32_fill;
    Bounded<uint16_t> bounded_uint16_fill;
    Bounded<uint8_t> bounded_uint8_fill, bounded_bool_fill;
    uint64_t (*bounded_uint64)(bitgen_t *, uint64_t low, uint64_t range, uint64_t mask,
                               bool masked);
    uint64_t (*interval)(bitgen_t *, uint64_t most);
    double (*loggam)(double); // of the gamma function, its logarithm
};

inline constexpr size_t binomialBytes = 256; // more than an s_binomial_t

// Finds them in this library, which is loaded: numpy.random._generator. False where it keeps them
// for itself.
bool loadDistributions(const char *library);

} // namespace shapecast::runtime
