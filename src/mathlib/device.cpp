// The math functions for kernels: compiled for NVIDIA's devices to LLVM's bitcode, which becomes
// part of each module of kernels that calls one (lower/gpu/device_math.h). One element at a time,
// by C's names. No header of C++ or of the system is there.
#include "mathlib/complex.h"
#include "mathlib/error_function.h"
#include "mathlib/integers.h"
#include "mathlib/inverse.h"
#include "mathlib/mathlib.h"
#include "mathlib/power.h"
#include "mathlib/remainder.h"
#include "mathlib/roots.h"
#include "mathlib/trigonometric.h"

using namespace shapecast::mathlib::device;
using Double = Vec<double, 1>;
using Float = Vec<float, 1>;

#define SC_FUNCTION1(name)                                                                         \
    double name##Of(double x) __asm__(#name);                                                      \
    double name##Of(double x) { return name(Double(x))[0]; }                                       \
    float name##Of(float x) __asm__(#name "f");                                                    \
    float name##Of(float x) { return name(Float(x))[0]; }
#define SC_FUNCTION2(name)                                                                         \
    double name##Of(double x, double y) __asm__(#name);                                            \
    double name##Of(double x, double y) { return name(Double(x), Double(y))[0]; }                  \
    float name##Of(float x, float y) __asm__(#name "f");                                           \
    float name##Of(float x, float y) { return name(Float(x), Float(y))[0]; }

SC_MATH_BODIES1(SC_FUNCTION1, SC_FUNCTION1)
SC_MATH_BODIES2(SC_FUNCTION2, SC_FUNCTION2)

namespace {

uint64_t greatestDivisor(uint64_t a, uint64_t b) {
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

template <class T> struct Parts {
    T mantissa;
    int32_t exponent;
};
template <class V> Parts<Element<V>> partsOf(V x) {
    constexpr int bias = isDouble<V> ? 1022 : 126;
    if (x[0] == 0 || !(abs(x)[0] < infinity<V>))
        return {x[0], 0};
    const bool isTiny = abs(x)[0] < leastNormal<V>;
    const V normal = isTiny ? V(x * Element<V>(isDouble<V> ? 0x1p52 : 0x1p23)) : x;
    const auto bits = bitsOf(normal)[0];
    constexpr auto mask = (typename IntegerOf<Element<V>>::Type(isDouble<V> ? 0x7ff : 0xff))
                          << mantissaBits<V>;
    const auto exponent = int32_t((bits & mask) >> mantissaBits<V>);
    const Integers<V> half((bits & ~mask) |
                           (typename IntegerOf<Element<V>>::Type(bias) << mantissaBits<V>));
    return {fromBits<V>(half)[0], exponent - bias - (isTiny ? mantissaBits<V> : 0)};
}

// x * 2^exponent, rounded once.
template <class V> Element<V> scaled(Element<V> x, int32_t exponent) {
    constexpr int most = isDouble<V> ? 1023 : 127, least = isDouble<V> ? -969 : -102;
    for (int step = 0; step < 3 && exponent > most; ++step) {
        x *= powerOfTwo<V>(Integers<V>(most))[0];
        exponent -= most;
    }
    for (int step = 0; step < 3 && exponent < least;
         ++step) { // products stay normal until the last
        x *= powerOfTwo<V>(Integers<V>(least))[0];
        exponent -= least;
    }
    exponent = exponent > most ? most : exponent < least ? least : exponent;
    return x * powerOfTwo<V>(Integers<V>(exponent))[0];
}

} // namespace

extern "C" {

int64_t sc_ipow(int64_t base, int64_t exponent) {
    return exponent < 0
               ? 0
               : int64_t(shapecast::mathlib::wrappingPower(uint64_t(base), uint64_t(exponent)));
}
uint64_t sc_upow(uint64_t base, uint64_t exponent) {
    return shapecast::mathlib::wrappingPower(base, exponent);
}
uint64_t sc_gcd(uint64_t a, uint64_t b) { return greatestDivisor(a, b); }
uint64_t sc_lcm(uint64_t a, uint64_t b) {
    const uint64_t divisor = greatestDivisor(a, b);
    return divisor ? a / divisor * b : 0;
}
double sc_py_truediv(int64_t a, int64_t b) { return shapecast::mathlib::trueQuotient(a, b); }
double sc_frexp_mantissa(double x) { return partsOf(Double(x)).mantissa; }
float sc_frexp_mantissaf(float x) { return partsOf(Float(x)).mantissa; }
int32_t sc_frexp_exponent(double x) { return partsOf(Double(x)).exponent; }
int32_t sc_frexp_exponentf(float x) { return partsOf(Float(x)).exponent; }

} // extern "C"

double ldexpOf(double x, int32_t exponent) __asm__("ldexp");
double ldexpOf(double x, int32_t exponent) { return scaled<Double>(x, exponent); }
float ldexpOf(float x, int32_t exponent) __asm__("ldexpf");
float ldexpOf(float x, int32_t exponent) { return scaled<Float>(x, exponent); }
