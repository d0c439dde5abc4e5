// Draws random numbers (see random.h).
#include "runtime/random.h"
#include "runtime/inline_draws.h"
#include "runtime/legacy_random.h"
#include "runtime/native.h"
#include "runtime/poisson.h"
#include "runtime/python_random.h"
#include "runtime/symbols.h"
#include "runtime/ziggurat.h"

#include <deque>
#include <dlfcn.h>
#include <string>
#include <tuple>
#include <type_traits>

namespace shapecast::runtime {
namespace {

Opener opener = nullptr;
Distributions numpy;

//===-- Generators

// No frame of this file may have destructors to run: an exception leaves compiled code by longjmp,
// as in sc_poll.
[[gnu::noinline]] const LockedGenerator &find(Context *ctx, void *generator) {
    for (LockedGenerator **at = &ctx->generators; *at; at = &(*at)->next)
        if ((*at)->generator == generator) {
            LockedGenerator *found = *at;
            *at = found->next;
            found->next = ctx->generators;
            return *(ctx->generators = found);
        }
    if (!opener || !opener(ctx, generator))
        longjmp(ctx->stop, 1);
    return *ctx->generators;
}

inline const LockedGenerator &lockedOf(Context *ctx, NativeOperands &in) {
    void *generator = reinterpret_cast<void *>(in.number());
    LockedGenerator *last = ctx->generators;
    return last && last->generator == generator ? *last : find(ctx, generator);
}

inline const Source &sourceOf(Context *ctx, NativeOperands &in) { return lockedOf(ctx, in).source; }
inline bitgen_t *generatorOf(Context *ctx, NativeOperands &in) { return sourceOf(ctx, in).bits; }

//===-- Distributions of numbers

double standardUniform(const Source &source) { return source.nextDouble(); }
double uniform(const Source &source, double low, double range) {
    return low + range * source.nextDouble();
}

const NormalZiggurat &normals() {
    static const NormalZiggurat table(numpy.standard_normal);
    return table;
}
const ExponentialZiggurat &exponentials() {
    static const ExponentialZiggurat table(numpy.standard_exponential);
    return table;
}
double standardNormal(const Source &source) { return normals().draw(source); }
double normal(const Source &source, double loc, double scale) {
    return loc + scale * normals().draw(source);
}
double standardExponential(const Source &source) { return exponentials().draw(source); }
double exponential(const Source &source, double scale) {
    return scale * exponentials().draw(source);
}

// What depends on n and p alone is cached for the next call; the numbers do not depend on it.
int64_t binomial(const Source &source, double p, int64_t n) {
    alignas(8) thread_local char cache[binomialBytes] = {};
    return numpy.binomial(source.bits, p, n, reinterpret_cast<s_binomial_t *>(cache));
}

int64_t poisson(const Source &source, double lam) {
    if (!(lam >= 10.0))
        return numpy.poisson(source.bits, lam);
    thread_local Poisson cached; // as above
    return cached.draw(source, lam, numpy.loggam);
}

// Consumes random bits even where the result is 0 anyway; Generator's does not.
int64_t legacyBinomial(const Source &source, double p, int64_t n) {
    if (n != 0 && p != 0.0)
        return binomial(source, p, n);
    source.nextDouble();
    return 0;
}

template <auto member> struct Call;
template <class R, class... P, R (*Distributions::*member)(bitgen_t *, P...)> struct Call<member> {
    static R of(const Source &source, P... parameters) {
        return (numpy.*member)(source.bits, parameters...);
    }
};

template <class T> T parameter(NativeOperands &in) {
    if constexpr (std::is_same_v<T, double>)
        return in.real();
    else
        return in.number();
}

// The entry points for a distribution function that returns one number.
template <auto function> struct Kernels;
template <class R, class... P, R (*function)(const Source &, P...)> struct Kernels<function> {
    static R draw(Context *ctx, const int64_t *slots) {
        NativeOperands in(slots);
        const Source &source = sourceOf(ctx, in);
        std::tuple<P...> parameters{parameter<P>(in)...};
        return std::apply([&](P... p) { return function(source, p...); }, parameters);
    }

    static int64_t fill(Context *ctx, const int64_t *slots) {
        NativeOperands in(slots);
        const NativeArray out = in.array();
        const Source source = sourceOf(ctx, in);
        std::tuple<P...> parameters{parameter<P>(in)...};
        R *to = reinterpret_cast<R *>(out.data);
        const int64_t count = out.count();
        for (int64_t i = 0; i < count; ++i)
            to[i] = std::apply([&](P... p) { return function(source, p...); }, parameters);
        return 0;
    }

    static int64_t each(Context *ctx, const int64_t *slots) {
        return eachOf(ctx, slots, std::index_sequence_for<P...>());
    }

private:
    template <size_t... k>
    static int64_t eachOf(Context *ctx, const int64_t *slots, std::index_sequence<k...>) {
        NativeOperands in(slots);
        const NativeArray out = in.array();
        const Source source = sourceOf(ctx, in);
        const NativeArray arrays[] = {(static_cast<void>(k), in.array())..., out};
        Space<sizeof...(P) + 1> space;
        for (int64_t d = 0; d < out.rank; ++d)
            space.add(out.sizes[d], {arrays[k].strides[d]..., out.strides[d]});
        return space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
            for (int64_t i = 0; i < length; ++i) {
                auto at = [&](auto *data, size_t array) -> auto & {
                    return data[starts[array] + i * steps[array]];
                };
                at(reinterpret_cast<R *>(out.data), sizeof...(P)) =
                    function(source, at(reinterpret_cast<const P *>(arrays[k].data), k)...);
            }
            return true;
        })
                   ? 0
                   : nativeFails;
    }
};

// In C or in Fortran order.
bool isContiguous(const NativeArray &a) {
    if (a.count() == 0)
        return true;
    auto inOrder = [&](int64_t first, int64_t step) {
        int64_t stride = 1;
        for (int64_t k = 0, d = first; k < a.rank; ++k, d += step) {
            if (a.sizes[d] != 1 && a.strides[d] != stride)
                return false;
            stride *= a.sizes[d];
        }
        return true;
    };
    return inOrder(a.rank - 1, -1) || inOrder(0, 1);
}

// Distributions of which NumPy has functions that fill an array; it may be the user's (`out=`).
template <auto member> struct Fills;
template <class T, Distributions::Fill<T> Distributions::*member> struct Fills<member> {
    static double draw(Context *ctx, const int64_t *slots) {
        NativeOperands in(slots);
        T value;
        (numpy.*member)(generatorOf(ctx, in), 1, &value);
        return value;
    }
    static int64_t fill(Context *ctx, const int64_t *slots) {
        NativeOperands in(slots);
        const NativeArray out = in.array();
        if (!isContiguous(out))
            return nativeRaises;
        (numpy.*member)(generatorOf(ctx, in), out.count(), reinterpret_cast<T *>(out.data));
        return 0;
    }
};

constexpr int64_t minInterleavedFill = 32; // numbers, from here on Pcg64::fill is faster

void fillUnit(const Source &source, double *to, int64_t count) {
    if (count >= minInterleavedFill && source.pcg64)
        source.pcg64->fill(to, count);
    else
        numpy.standard_uniform_fill(source.bits, count, to);
}

int64_t fillStandardUniform(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray out = in.array();
    if (!isContiguous(out))
        return nativeRaises;
    fillUnit(sourceOf(ctx, in), reinterpret_cast<double *>(out.data), out.count());
    return 0;
}

// From `low` to `low + range`.
int64_t fillRange(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray out = in.array();
    const Source &source = sourceOf(ctx, in);
    const double low = in.real(), range = in.real();
    auto *to = reinterpret_cast<double *>(out.data);
    for (int64_t done = 0, count = out.count(); done < count; done += 4096) { // stays in the cache
        const int64_t part = std::min<int64_t>(4096, count - done);
        fillUnit(source, to + done, part);
        for (int64_t k = done; k < done + part; ++k)
            to[k] = low + range * to[k];
    }
    return 0;
}

//===-- Integers

// NumPy's numbers below such a bound by masked rejection: those at or above it are drawn again.
uint32_t maskedBelow(const Source &source, uint32_t bound) {
    if (bound == 1)
        return 0;
    const uint32_t mask = ~uint32_t(0) >> std::countl_zero(bound - 1);
    uint32_t number;
    do
        number = source.mt19937->next(source.bits) & mask;
    while (number >= bound);
    return number;
}

// Operands: low and high, in the dtype's range and in order, and whether numbers are drawn by
// masked rejection (RandomState) instead of Lemire's multiplication.
template <class S, auto member> struct Integers {
    using U = typename std::conditional_t<std::is_same_v<S, bool>, std::type_identity<uint8_t>,
                                          std::make_unsigned<S>>::type;
    struct Range {
        U low, range;
        bool masked;
        explicit Range(NativeOperands &in)
            : low(U(in.number())), range(U(U(in.number()) - low)), masked(in.number() != 0) {}
    };
    static int64_t draw(Context *ctx, const int64_t *slots) {
        NativeOperands in(slots);
        const Source &source = sourceOf(ctx, in);
        const Range of(in);
        if (sizeof(U) >= sizeof(uint32_t) && of.masked && source.mt19937 && of.range < UINT32_MAX)
            return int64_t(S(of.low + maskedBelow(source, uint32_t(of.range) + 1)));
        U value;
        (numpy.*member)(source.bits, of.low, of.range, 1, of.masked, &value);
        return int64_t(static_cast<S>(value));
    }
    static int64_t fill(Context *ctx, const int64_t *slots) {
        NativeOperands in(slots);
        const NativeArray out = in.array();
        bitgen_t *bits = generatorOf(ctx, in);
        const Range of(in);
        (numpy.*member)(bits, of.low, of.range, out.count(), of.masked,
                        reinterpret_cast<U *>(out.data));
        return 0;
    }
};

template <bool masked> int64_t integer(const Source &source, int64_t low, int64_t last) {
    const uint64_t range = uint64_t(last) - uint64_t(low);
    const uint64_t mask = masked && range ? ~uint64_t(0) >> std::countl_zero(range) : 0;
    return int64_t(numpy.bounded_uint64(source.bits, uint64_t(low), range, mask, masked));
}

//===-- Permutations

// Fisher-Yates: exchanges each element, from the last one down to `first`, with one up to it.
template <class T, class Index>
void exchange(T *data, int64_t count, int64_t stride, int64_t first, Index index) {
    for (int64_t i = count - 1; i >= first; --i)
        std::swap(data[int64_t(index(uint64_t(i))) * stride], data[i * stride]);
}

struct Complex128 {
    double re, im;
};

// An array of one axis.
int64_t shuffle(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    bitgen_t *bits = generatorOf(ctx, in);
    auto index = [bits](uint64_t last) { return numpy.interval(bits, last); };
    auto of = [&]<class T>(T *data) { exchange(data, a.sizes[0], a.strides[0], 1, index); };
    switch (a.itemSize()) {
    case 1:
        of(reinterpret_cast<uint8_t *>(a.data));
        break;
    case 2:
        of(reinterpret_cast<uint16_t *>(a.data));
        break;
    case 4:
        of(reinterpret_cast<uint32_t *>(a.data));
        break;
    case 8:
        of(reinterpret_cast<uint64_t *>(a.data));
        break;
    default:
        of(reinterpret_cast<Complex128 *>(a.data));
    }
    return 0;
}

// Indices, contiguous: from `first` on.
int64_t shuffleIndices(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    bitgen_t *bits = generatorOf(ctx, in);
    exchange(reinterpret_cast<int64_t *>(a.data), a.sizes[0], 1, in.number(),
             [bits](uint64_t last) { return numpy.bounded_uint64(bits, 0, last, 0, false); });
    return 0;
}

// Distinct numbers below `bound` by Floyd's method, with the same hash table as NumPy:
// (out, table (filled with -1; its size is a power of 2), generator, bound).
int64_t sample(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray out = in.array(), table = in.array();
    bitgen_t *bits = generatorOf(ctx, in);
    const int64_t bound = in.number(), count = out.sizes[0];
    auto *to = reinterpret_cast<int64_t *>(out.data);
    auto *entries = reinterpret_cast<int64_t *>(table.data);
    const uint64_t mask = uint64_t(table.sizes[0]) - 1;
    auto probe = [&](int64_t value, bool isNew) {
        uint64_t at = uint64_t(value) & mask;
        while (entries[at] != -1 && (isNew || entries[at] != value))
            at = (at + 1) & mask;
        return at;
    };
    for (int64_t j = bound - count; j < bound; ++j) {
        int64_t value = int64_t(numpy.bounded_uint64(bits, 0, uint64_t(j), 0, false));
        uint64_t at = probe(value, false);
        if (entries[at] != -1) { // a duplicate: take j, which is new
            value = j;
            at = probe(j, true);
        }
        entries[at] = value;
        to[j - bound + count] = value;
    }
    return 0;
}

//===-- Tables

class Symbols {
public:
    template <class Function>
    void add(const char *kind, const std::string &name, Function *function) {
        names.push_back(std::string("sc_") + kind + "_" + name);
        all.push_back(symbolOf(names.back().c_str(), function));
    }
    template <auto draw, auto fill> void number(const std::string &name) {
        add("draw", name, draw);
        add("fill", name, fill);
    }
    template <auto member> void fills(const std::string &name) {
        number<&Fills<member>::draw, &Fills<member>::fill>(name);
    }
    template <auto function> void distribution(const std::string &name) {
        number<&Kernels<function>::draw, &Kernels<function>::fill>(name);
        add("each", name, &Kernels<function>::each);
    }
    template <class S, auto member> void integers(const char *dtype) {
        using K = Integers<S, member>;
        number<&K::draw, &K::fill>(std::string("integers_") + dtype);
    }
    std::vector<RuntimeSymbol> all;

private:
    std::deque<std::string> names;
};

using D = Distributions;

void addStandard(Symbols &to) {
    to.number<&Kernels<standardUniform>::draw, &fillStandardUniform>("standard_uniform_float64");
    to.number<&Kernels<standardNormal>::draw, &Kernels<standardNormal>::fill>(
        "standard_normal_float64");
    to.number<&Kernels<standardExponential>::draw, &Kernels<standardExponential>::fill>(
        "standard_exponential_float64");
    to.fills<&D::standard_exponential_inv_fill>("standard_exponential_inv_float64");
    to.fills<&D::standard_uniform_fill_f>("standard_uniform_float32");
    to.fills<&D::standard_normal_fill_f>("standard_normal_float32");
    to.fills<&D::standard_exponential_fill_f>("standard_exponential_float32");
    to.fills<&D::standard_exponential_inv_fill_f>("standard_exponential_inv_float32");
    to.number<&Kernels<Call<&D::standard_cauchy>::of>::draw,
              &Kernels<Call<&D::standard_cauchy>::of>::fill>("standard_cauchy_float64");
}

void addDistributions(Symbols &to) {
    to.distribution<exponential>("exponential");
    to.distribution<Call<&D::standard_gamma>::of>("standard_gamma");
    to.distribution<Call<&D::chisquare>::of>("chisquare");
    to.distribution<Call<&D::standard_t>::of>("standard_t");
    to.distribution<Call<&D::pareto>::of>("pareto");
    to.distribution<Call<&D::weibull>::of>("weibull");
    to.distribution<Call<&D::power>::of>("power");
    to.distribution<Call<&D::rayleigh>::of>("rayleigh");
    using Uniform = Kernels<uniform>;
    to.number<&Uniform::draw, &fillRange>("uniform");
    to.add("each", "uniform", &Uniform::each);
    to.distribution<normal>("normal");
    to.distribution<Call<&D::gamma>::of>("gamma");
    to.distribution<Call<&D::beta>::of>("beta");
    to.distribution<Call<&D::f>::of>("f");
    to.distribution<Call<&D::laplace>::of>("laplace");
    to.distribution<Call<&D::gumbel>::of>("gumbel");
    to.distribution<Call<&D::logistic>::of>("logistic");
    to.distribution<Call<&D::lognormal>::of>("lognormal");
    to.distribution<Call<&D::wald>::of>("wald");
    to.distribution<Call<&D::vonmises>::of>("vonmises");
    to.distribution<Call<&D::triangular>::of>("triangular");
    to.distribution<poisson>("poisson");
    to.distribution<Call<&D::geometric>::of>("geometric");
    to.distribution<binomial>("binomial");
}

// RandomState's, where they differ from those above.
void addLegacy(Symbols &to) {
    using Normal = Kernels<legacy::standardNormal>;
    using Exponential = Kernels<legacy::standardExponential>;
    to.number<&Normal::draw, &Normal::fill>("legacy_standard_normal_float64");
    to.number<&Exponential::draw, &Exponential::fill>("legacy_standard_exponential_float64");
    to.distribution<legacy::normal>("legacy_normal");
    to.distribution<legacy::exponential>("legacy_exponential");
    to.distribution<legacy::lognormal>("legacy_lognormal");
    to.distribution<legacy::standardGamma>("legacy_standard_gamma");
    to.distribution<legacy::gamma>("legacy_gamma");
    to.distribution<legacy::beta>("legacy_beta");
    to.distribution<legacy::chisquare>("legacy_chisquare");
    to.distribution<legacy::standardT>("legacy_standard_t");
    to.distribution<legacy::pareto>("legacy_pareto");
    to.distribution<legacy::weibull>("legacy_weibull");
    to.distribution<legacy::power>("legacy_power");
    to.distribution<legacy::rayleigh>("legacy_rayleigh");
    to.distribution<legacy::wald>("legacy_wald");
    to.distribution<legacyBinomial>("legacy_binomial");
}

// Of Python's module random.
void addPythonRandom(Symbols &to) {
    auto add = [&](const char *name, auto *draw) { to.add("draw", name, draw); };
    add("python_random", &Kernels<pythonRandom>::draw);
    add("python_bits", &Kernels<pythonBits>::draw);
    add("python_below", &Kernels<pythonBelow>::draw);
    add("python_gauss", &Kernels<pythonGauss>::draw);
}

void addIntegers(Symbols &to) {
    to.integers<bool, &D::bounded_bool_fill>("bool");
    to.integers<int8_t, &D::bounded_uint8_fill>("int8");
    to.integers<uint8_t, &D::bounded_uint8_fill>("uint8");
    to.integers<int16_t, &D::bounded_uint16_fill>("int16");
    to.integers<uint16_t, &D::bounded_uint16_fill>("uint16");
    to.integers<int32_t, &D::bounded_uint32_fill>("int32");
    to.integers<uint32_t, &D::bounded_uint32_fill>("uint32");
    to.integers<int64_t, &D::bounded_uint64_fill>("int64");
    to.integers<uint64_t, &D::bounded_uint64_fill>("uint64");
    to.add("each", "integers", &Kernels<integer<false>>::each);
    to.add("each", "integers_masked", &Kernels<integer<true>>::each);
    to.add("fill", "shuffle", &shuffle);
    to.add("fill", "shuffle_indices", &shuffleIndices);
    to.add("fill", "sample", &sample);
}

template <class F> bool bind(void *library, const char *name, F &function) {
    function = reinterpret_cast<F>(dlsym(library, (std::string("random_") + name).c_str()));
    return function != nullptr;
}

} // namespace

void setOpener(Opener newOpener) { opener = newOpener; }

static const LockedGenerator &find(Context *ctx, uintptr_t generator) {
    return find(ctx, reinterpret_cast<void *>(generator));
}

extern "C" void *sc_pcg64(Context *ctx, uintptr_t generator) {
    return find(ctx, generator).source.pcg64;
}
extern "C" const void *sc_ziggurat_normal(Context *) { return normals().tables(); }
extern "C" const void *sc_ziggurat_exponential(Context *) { return exponentials().tables(); }
extern "C" double sc_ziggurat_slow_normal(Context *ctx, uintptr_t generator, uint64_t bits) {
    return normals().slowPath(find(ctx, generator).source.bits, bits);
}
extern "C" double sc_ziggurat_slow_exponential(Context *ctx, uintptr_t generator, uint64_t bits) {
    return exponentials().slowPath(find(ctx, generator).source.bits, bits);
}
extern "C" double sc_legacy_power(double x, double y) { return legacy::powerOf(x, y); }

SymbolTable randomSymbols() {
    static const Symbols *symbols = [] {
        auto *made = new Symbols;
        addStandard(*made);
        addDistributions(*made);
        addLegacy(*made);
        addIntegers(*made);
        addPythonRandom(*made);
        made->all.insert(made->all.end(),
                         {symbolOf<&sc_pcg64>(), symbolOf<&sc_ziggurat_normal>(),
                          symbolOf<&sc_ziggurat_exponential>(),
                          symbolOf<&sc_ziggurat_slow_normal>(),
                          symbolOf<&sc_ziggurat_slow_exponential>(), symbolOf<&sc_legacy_power>()});
        return made;
    }();
    return symbols->all;
}

bool loadDistributions(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!library)
        return false;
    Distributions &d = numpy;
#define BIND(name) bind(library, #name, d.name)
    return BIND(standard_uniform_fill) && BIND(standard_uniform_fill_f) &&
           BIND(standard_normal_fill) && BIND(standard_normal_fill_f) &&
           BIND(standard_exponential_fill) && BIND(standard_exponential_fill_f) &&
           BIND(standard_exponential_inv_fill) && BIND(standard_exponential_inv_fill_f) &&
           BIND(standard_normal) && BIND(standard_exponential) && BIND(standard_cauchy) &&
           BIND(exponential) && BIND(standard_gamma) && BIND(chisquare) && BIND(standard_t) &&
           BIND(pareto) && BIND(weibull) && BIND(power) && BIND(rayleigh) && BIND(uniform) &&
           BIND(normal) && BIND(gamma) && BIND(beta) && BIND(f) && BIND(laplace) && BIND(gumbel) &&
           BIND(logistic) && BIND(lognormal) && BIND(wald) && BIND(vonmises) && BIND(triangular) &&
           BIND(poisson) && BIND(loggam) && BIND(geometric) && BIND(binomial) &&
           BIND(bounded_uint64_fill) && BIND(bounded_uint32_fill) && BIND(bounded_uint16_fill) &&
           BIND(bounded_uint8_fill) && BIND(bounded_bool_fill) && BIND(bounded_uint64) &&
           BIND(interval);
#undef BIND
}

} // namespace shapecast::runtime
