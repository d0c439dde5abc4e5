// The math functions of every instruction set that this processor has: within 1 ULP of the C
// library's functions on long doubles, C's results at the edges, the same bits in every lane.
#include "mathlib/mathlib.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

using namespace shapecast::mathlib;
using Wide = long double;

namespace {

// Calls a body on arrays of a multiple of 64 bytes, of any alignment.
#define SC_CALLS(isa, features, Doubles)                                                           \
    struct [[gnu::packed, gnu::may_alias]] isa##Vector {                                           \
        Doubles value;                                                                             \
    };                                                                                             \
    [[features]] void isa##Call(const Body &body, void *function, const char *x, const char *y,    \
                                char *out, size_t bytes) {                                         \
        for (size_t at = 0; at < bytes; at += sizeof(Doubles)) {                                   \
            const Doubles a = reinterpret_cast<const isa##Vector *>(x + at)->value;                \
            const Doubles b = reinterpret_cast<const isa##Vector *>(y + at)->value;                \
            reinterpret_cast<isa##Vector *>(out + at)->value =                                     \
                body.arguments == 1                                                                \
                    ? reinterpret_cast<Doubles (*)(Doubles)>(function)(a)                          \
                    : reinterpret_cast<Doubles (*)(Doubles, Doubles)>(function)(a, b);             \
        }                                                                                          \
    }
// A vector of float32s is passed in the same register as one of float64s.
#if defined(__x86_64__)
SC_CALLS(sse, gnu::target("sse4.2"), __m128d)
SC_CALLS(avx2, gnu::target("avx2,fma"), __m256d)
SC_CALLS(avx512, gnu::target("avx512f,avx512dq,avx512bw,avx512vl"), __m512d)
#else
SC_CALLS(neon, , float64x2_t)
#endif

struct Isa {
    const char *name;
    bool supported;
    const Body *(*bodies)(size_t *);
    void (*call)(const Body &, void *, const char *, const char *, char *, size_t);
};
const Isa isas[] = {
#if defined(__x86_64__)
    {"sse", bool(__builtin_cpu_supports("sse4.2")), sseBodies, sseCall},
    {"avx2", __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), avx2Bodies, avx2Call},
    {"avx512",
     __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"),
     avx512Bodies, avx512Call},
#else
    {"neon", true, neonBodies, neonCall},
#endif
};

struct Reference {
    std::string_view name;
    Wide (*one)(Wide);
    Wide (*two)(Wide, Wide);
    double low, high; // where most samples of float64 lie
};
// Powers that overflow, times a sine of 0, are 0; times another one they may be finite.
Wide expcosl(Wide x, Wide y) { return expl(std::clamp(x, -9999.0L, 9999.0L)) * cosl(y); }
Wide expsinl(Wide x, Wide y) { return expl(std::clamp(x, -9999.0L, 9999.0L)) * sinl(y); }

Wide rootsuml(Wide x, Wide y) { return sqrtl((fabsl(x) + hypotl(x, y)) / 2); }

Wide gammalnl(Wide x) { return x == -INFINITY ? x : lgammal(x); }

const Reference references[] = {
    {"exp", expl, nullptr, -750, 750},     {"exp2", exp2l, nullptr, -1100, 1100},
    {"exp10", exp10l, nullptr, -330, 330}, {"expm1", expm1l, nullptr, -60, 710},
    {"log", logl, nullptr, 0, 9},          {"log2", log2l, nullptr, 0, 9},
    {"log10", log10l, nullptr, 0, 9},      {"log1p", log1pl, nullptr, -1, 3},
    {"sin", sinl, nullptr, -100, 100},     {"cos", cosl, nullptr, -100, 100},
    {"tan", tanl, nullptr, -100, 100},     {"asin", asinl, nullptr, -1, 1},
    {"acos", acosl, nullptr, -1, 1},       {"atan", atanl, nullptr, -5, 5},
    {"sinh", sinhl, nullptr, -711, 711},   {"cosh", coshl, nullptr, -711, 711},
    {"tanh", tanhl, nullptr, -20, 20},     {"asinh", asinhl, nullptr, -9, 9},
    {"acosh", acoshl, nullptr, 1, 9},      {"atanh", atanhl, nullptr, -1, 1},
    {"cbrt", cbrtl, nullptr, -9, 9},       {"erf", erfl, nullptr, -6, 6},
    {"erfc", erfcl, nullptr, -6, 28},      {"pow", nullptr, powl, 0, 9},
    {"atan2", nullptr, atan2l, -9, 9},     {"hypot", nullptr, hypotl, -9, 9},
    {"gammaln", gammalnl, nullptr, 0, 30}, {"expcos", nullptr, expcosl, -9, 9},
    {"expsin", nullptr, expsinl, -9, 9},   {"fmod", nullptr, fmodl, -9, 9},
    {"rootsum", nullptr, rootsuml, -9, 9},
};

const double edges[] = {
    0.0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    2,
    -2,
    3,
    -3,
    -7,
    8,
    27,
    1000,
    0.75,
    1.5,
    INFINITY,
    -INFINITY,
    NAN,
    5e-324,
    -5e-324,
    1e-310,
    -1e-310,
    0x1p-1022,
    -0x1p-1022,
    1e-45,
    1.4e-45,
    0x1p-126,
    1e-20,
    -1e-20,
    1e22,
    -1e22,
    0x1p1000,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    0x1.5555555555555p+1022, // max / 3, rounded up: three times it overflows
    3.4028234663852886e38,
    709.782712893384,
    709.79,
    -708.4,
    -745.1,
    -745.2,
    -746,
    710.4758600739439,
    710.476,
    88.72283,
    88.7229,
    -87.34,
    -103.97,
    -104,
    89.415,
    89.42,
    1024,
    1023.99999,
    -1074,
    -1075,
    -1074.99,
    128,
    -149,
    -150,
    308.25,
    -323,
    -324,
    38.5,
    -45,
    26.5,
    27.3,
    9.19,
    10.06,
    0x1p17,
    0x1p18,
    0x1p45,
    0x1p46,
    0x1p52,
    0x1p53,
    0x1p54,
    1e300,
    1e-300,
    0.9999999999999999,
    1.0000000000000002,
    0.99999994,
    1.0000001,
    -0.9999999999999999,
    -0.99999994,
    6381956970095103.0 * 0x1p797,
};

template <class T> Wide unitOf(Wide magnitude) {
    const int digits = std::numeric_limits<T>::digits,
              least = std::numeric_limits<T>::min_exponent - digits;
    int exponent = least;
    if (magnitude > 0)
        std::frexp(magnitude, &exponent);
    return std::ldexp(Wide(1), std::max(exponent - digits, least));
}

// The error in ULP; infinite where NaN, infinity or the sign differ.
template <class T> Wide error(T got, Wide want) {
    const T rounded = T(want);
    if (std::isnan(got) || std::isnan(rounded))
        return std::isnan(got) == std::isnan(rounded) ? 0 : INFINITY;
    if (std::signbit(got) != std::signbit(rounded))
        return INFINITY;
    if (std::isinf(want))
        return std::isinf(got) ? 0 : INFINITY;
    const Wide largest = std::numeric_limits<T>::max(), unit = unitOf<T>(std::fabs(want));
    // Infinity counts as the number after the largest.
    const Wide given = std::isinf(got) ? largest + unitOf<T>(largest) : std::fabs(Wide(got));
    const Wide meant = std::min(std::fabs(want), largest + unitOf<T>(largest));
    return std::fabs(given - meant) / std::min(unit, unitOf<T>(largest));
}

int sampleCount = 40000; // or as many as the command line says

template <class T> std::vector<T> samplesOf(const Reference &f, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    const double less = sizeof(T) == 4 && f.high > 200 ? 8 : 1;
    std::vector<T> samples;
    for (int k = 0; k < sampleCount; ++k) {
        const double u = unit(random), v = unit(random);
        double x = (f.low + (f.high - f.low) * u) / less;
        if (k % 4 == 1)
            x = std::ldexp(1 + u, int(60 * v) - 40) * (k % 8 == 1 && f.low < 0 ? -1 : 1);
        else if (k % 4 == 2)
            x = 1 + 0.2 * (u - 0.5);
        T value = T(x);
        if (k % 4 == 3) {
            const uint64_t bits = random();
            std::memcpy(&value, &bits, sizeof value);
            if (std::isnan(value))
                value = T(x);
        }
        samples.push_back(f.low >= 0 && !f.two ? std::fabs(value) : value);
    }
    return samples;
}

template <class T> struct Samples {
    std::vector<T> x, y;
    std::vector<Wide> want;
};

template <class T> Samples<T> samplesFor(const Reference &f) {
    Samples<T> s;
    s.x = samplesOf<T>(f, 1);
    s.y = s.x;
    if (f.two) {
        s.y = samplesOf<T>(f, 2);
        for (size_t k = 0; k < s.x.size() && f.name == "pow"; k += 2) { // up to the largest number
            const double most = sizeof(T) == 8 ? 709 : 88;
            s.x[k] = std::fabs(s.x[k]);
            const double log = std::log(double(s.x[k])), part = double(k) / s.x.size() * 2 - 1;
            if (std::isfinite(log) && log != 0)
                s.y[k] = T(part * most / log);
        }
        for (double a : edges)
            for (double b : edges) {
                s.x.push_back(T(a));
                s.y.push_back(T(b));
            }
    } else {
        for (double a : edges)
            s.x.push_back(T(a));
    }
    s.x.resize((s.x.size() + 63) / 64 * 64, T(1));
    s.y.resize(s.x.size(), T(1));
    for (size_t k = 0; k < s.x.size(); ++k)
        s.want.push_back(f.two ? f.two(s.x[k], s.y[k]) : f.one(s.x[k]));
    return s;
}

template <class T> bool test(const Isa &isa, const Body &body, Samples<T> s) {
    void *function = body.functions[sizeof(T) == 4];
    const size_t n = s.x.size();
    std::vector<T> out(n), moved(n);
    auto run = [&](std::vector<T> &into) {
        isa.call(body, function, reinterpret_cast<const char *>(s.x.data()),
                 reinterpret_cast<const char *>(s.y.data()), reinterpret_cast<char *>(into.data()),
                 n * sizeof(T));
    };
    run(out);
    size_t wrong = 0, worst = 0;
    for (size_t k = 0; k < n; ++k) {
        if (error(out[k], s.want[k]) > error(out[worst], s.want[worst]))
            worst = k;
        wrong += error(out[k], s.want[k]) > 1.001L; // the reference has an error too
    }
    // The same elements in other lanes, beside others.
    std::rotate(s.x.begin(), s.x.begin() + 5, s.x.end());
    std::rotate(s.y.begin(), s.y.begin() + 5, s.y.end());
    run(moved);
    std::rotate(moved.begin(), moved.end() - 5, moved.end());
    size_t others = 0;
    for (size_t k = 0; k < n; ++k)
        others += std::memcmp(&out[k], &moved[k], sizeof(T)) != 0 && !std::isnan(out[k]);
    std::printf("%-6s %-5s float%zu %.3Lf ULP at %.17g, %.17g\n", isa.name, body.name,
                sizeof(T) * 8, error(out[worst], s.want[worst]), double(s.x[(worst + n - 5) % n]),
                double(s.y[(worst + n - 5) % n]));
    if (wrong || others)
        std::printf("  %zu results with errors above 1 ULP or of another kind, "
                    "%zu depend on the lane\n",
                    wrong, others);
    return wrong == 0 && others == 0;
}

} // namespace

int main(int count, char **words) {
    if (count > 1)
        sampleCount = std::atoi(words[1]);
    bool right = true;
    for (const Reference &f : references) {
        const Samples<double> doubles = samplesFor<double>(f);
        const Samples<float> floats = samplesFor<float>(f);
        for (const Isa &isa : isas) {
            size_t count = 0;
            const Body *bodies = isa.bodies(&count);
            for (size_t k = 0; k < count && isa.supported; ++k)
                if (bodies[k].name == f.name) {
                    right &= test(isa, bodies[k], doubles);
                    right &= test(isa, bodies[k], floats);
                }
        }
    }
    return right ? 0 : 1;
}
