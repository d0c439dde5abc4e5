// Random numbers without Python: NumPy's distributions, drawn from NumPy's bit generators.
//
// sc_draw_<name>(ctx, slots) returns a number; sc_fill_<name> fills a contiguous array with numbers
// of scalar parameters; sc_each_<name> fills any array, and its parameters are arrays broadcast to
// its shape. The operands are the array, the generator (its object's address, 0 for that of
// np.random.rand and the like), the parameters. (See random.cpp; slots are explained in native.h.)
#pragma once

#include "runtime/abi.h"
#include "runtime/source.h"

struct s_binomial_t; // NumPy's, in numpy/random/distributions.h, which includes Python.h

namespace shapecast::runtime {

// A generator that the call uses; its lock is held.
struct LockedGenerator {
    const void *generator;
    Source source;
    LockedGenerator *next;
};
static_assert(offsetof(LockedGenerator, generator) == 8 * lockedGeneratorSlot);
static_assert(offsetof(LockedGenerator, source.mt19937) == 8 * lockedMt19937Slot);

// Finds a generator's state, takes its lock, and puts it first in ctx->generators: set by the
// bindings. False: an exception is set, the call ends.
using Opener = bool (*)(Context *ctx, void *generator);
void setOpener(Opener opener);

// Functions of numpy/random/distributions.h, by their names without "random_": those of the
// NumPy that is loaded, so that the numbers are its own whichever NumPy this was built with.
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
    double (*loggam)(double); // logarithm of the gamma function
};

inline constexpr size_t binomialBytes = 256; // more than an s_binomial_t

// Finds them in this library, which is already loaded: numpy.random._generator. False where it does
// not export them.
bool loadDistributions(const char *library);

} // namespace shapecast::runtime
