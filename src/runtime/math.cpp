// Scalar functions that compiled code calls: integer powers, float parts, complex functions; and
// C's math library. All are pure. Complex functions, sc_c<name>, return both parts as float64s, in
// two registers.
#include "mathlib/integers.h"
#include "runtime/symbols.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

// The complex functions that the C library has. <complex.h> means <complex> in C++: declared here.
#define SC_C_COMPLEX(use)                                                                          \
    use(exp) use(log) use(sqrt) use(sin) use(cos) use(tan) use(asin) use(acos) use(atan) use(sinh) \
        use(cosh) use(tanh) use(asinh) use(acosh) use(atanh)
#define SC_DECLARE(name)                                                                           \
    extern "C" _Complex double c##name(_Complex double);                                           \
    extern "C" _Complex float c##name##f(_Complex float);
SC_C_COMPLEX(SC_DECLARE)
extern "C" _Complex double cpow(_Complex double, _Complex double);
extern "C" _Complex float cpowf(_Complex float, _Complex float);

// The same function as the newer hypot@GLIBC_2.35, but for errno.
#if defined(__GLIBC__) && defined(__x86_64__)
__asm__(".symver hypot,hypot@GLIBC_2.2.5");
__asm__(".symver hypotf,hypotf@GLIBC_2.2.5");
#elif defined(__GLIBC__) && defined(__aarch64__)
__asm__(".symver hypot,hypot@GLIBC_2.17");
__asm__(".symver hypotf,hypotf@GLIBC_2.17");
#endif

namespace {

template <class T> struct Complex {
    T re, im;
};

using WideComplex = _Complex double;
using SingleComplex = _Complex float;

WideComplex pack(double re, double im) {
    WideComplex z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}
SingleComplex pack(float re, float im) {
    SingleComplex z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}
Complex<double> unpack(WideComplex z) { return {__real__ z, __imag__ z}; }
Complex<float> unpack(SingleComplex z) { return {__real__ z, __imag__ z}; }

#define SC_FROM_C(name)                                                                            \
    Complex<double> name##Of(double re, double im) { return unpack(c##name(pack(re, im))); }       \
    Complex<float> name##Of(float re, float im) { return unpack(c##name##f(pack(re, im))); }
SC_C_COMPLEX(SC_FROM_C)

// The others, composed as in NumPy.
template <class T> Complex<T> exp2Of(T re, T im) {
    constexpr T ln2 = std::numbers::ln2_v<T>;
    return expOf(re * ln2, im * ln2);
}
template <class T> Complex<T> expm1Of(T re, T im) {
    const T half = std::sin(im / 2);
    return {std::expm1(re) * std::cos(im) - 2 * half * half, std::exp(re) * std::sin(im)};
}
template <class T> Complex<T> log2Of(T re, T im) {
    const Complex<T> z = logOf(re, im);
    constexpr T log2e = std::numbers::log2e_v<T>;
    return {z.re * log2e, z.im * log2e};
}
template <class T> Complex<T> log10Of(T re, T im) {
    const Complex<T> z = logOf(re, im);
    constexpr T log10e = std::numbers::log10e_v<T>;
    return {z.re * log10e, z.im * log10e};
}
template <class T> Complex<T> log1pOf(T re, T im) {
    return {std::log(std::hypot(re + 1, im)), std::atan2(im, re + 1)};
}

template <class T> Complex<T> multiply(Complex<T> a, Complex<T> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// (1 + 0j) / z by Smith's formula; the numerator's zeros give zero results their sign
template <class T> Complex<T> reciprocal(Complex<T> z) {
    if (z.re == 0 && z.im == 0)
        return {1 / std::abs(z.re), 0 / std::abs(z.re)};
    const T zero = 0;
    if (std::abs(z.re) >= std::abs(z.im)) {
        const T ratio = z.im / z.re, scale = 1 / (z.re + z.im * ratio);
        return {(1 + zero * ratio) * scale, (zero - ratio) * scale};
    }
    const T ratio = z.re / z.im, scale = 1 / (z.im + z.re * ratio);
    return {(ratio + zero) * scale, (zero * ratio - 1) * scale};
}

template <class T> Complex<T> smallPower(Complex<T> base, int exponent) {
    if (exponent == 1)
        return base;
    if (exponent == 2)
        return multiply(base, base);
    if (exponent == 3)
        return multiply(base, multiply(base, base));
    Complex<T> result{1, 0};
    const int count = exponent < 0 ? -exponent : exponent;
    for (int mask = 1;;) {
        if (count & mask)
            result = multiply(result, base);
        mask <<= 1;
        if (count < mask)
            break;
        base = multiply(base, base);
    }
    return exponent < 0 ? reciprocal(result) : result;
}

// npy_cpow: exact integer powers are products, zero bases have their own rules.
template <class T> Complex<T> powOf(T ar, T ai, T br, T bi) {
    if (br == 0 && bi == 0)
        return {1, 0};
    if (ar == 0 && ai == 0) {
        constexpr T nan = std::numeric_limits<T>::quiet_NaN();
        return br > 0 ? Complex<T>{0, 0} : Complex<T>{nan, nan};
    }
    if (bi == 0 && br > -100 && br < 100 && br == std::trunc(br))
        return smallPower(Complex<T>{ar, ai}, static_cast<int>(br));
    if constexpr (sizeof(T) == 4)
        return unpack(cpowf(pack(ar, ai), pack(br, bi)));
    else
        return unpack(cpow(pack(ar, ai), pack(br, bi)));
}

using shapecast::mathlib::trueQuotient;
using shapecast::mathlib::wrappingPower;

// CPython's complex arithmetic. Since 3.14 it goes by C11's annex G: infinities that came out as
// NaN are recovered, and a real operand has no imaginary part (src/ops/python/python_complex.cpp).
bool isInfinite(Complex<double> z) { return std::isinf(z.re) || std::isinf(z.im); }
bool isNan(Complex<double> z) { return std::isnan(z.re) && std::isnan(z.im); }

Complex<double> boxed(Complex<double> z) { // 1 for infinities, 0 for the rest, with their signs
    const auto box = [](double x) { return std::copysign(std::isinf(x) ? 1.0 : 0.0, x); };
    return {box(z.re), box(z.im)};
}
Complex<double> withoutNan(Complex<double> z) {
    const auto zeroed = [](double x) { return std::isnan(x) ? std::copysign(0.0, x) : x; };
    return {zeroed(z.re), zeroed(z.im)};
}
Complex<double> pythonProduct(Complex<double> a, Complex<double> b, bool annexG) {
    const Complex<double> result = multiply(a, b);
    if (!annexG || !isNan(result))
        return result;
    const bool overflows =
        isInfinite({a.re * b.re, a.im * b.im}) || isInfinite({a.re * b.im, a.im * b.re});
    if (!overflows && !isInfinite(a) && !isInfinite(b))
        return result;
    const Complex<double> direction = multiply(withoutNan(isInfinite(a) ? boxed(a) : a),
                                               withoutNan(isInfinite(b) ? boxed(b) : b));
    return {HUGE_VAL * direction.re, HUGE_VAL * direction.im};
}
Complex<double> pythonReciprocal(Complex<double> b, bool annexG) { // 0 of 0, which raises
    if (b.re == 0 && b.im == 0)
        return {0, 0};
    Complex<double> result;
    if (std::abs(b.re) >= std::abs(b.im)) {
        const double ratio = b.im / b.re, denominator = b.re + b.im * ratio;
        result = {(1 + 0 * ratio) / denominator, (0 - ratio) / denominator};
    } else {
        const double ratio = b.re / b.im, denominator = b.re * ratio + b.im;
        result = {(ratio + 0) / denominator, (0 * ratio - 1) / denominator};
    }
    if (!annexG || !isNan(result) || !isInfinite(b))
        return result;
    const Complex<double> box = boxed(b);
    return {0 * (box.re + 0 * box.im), 0 * (0 * box.re - box.im)};
}
Complex<double> pythonIntegerPower(Complex<double> base, long exponent, bool annexG) {
    long count = std::labs(exponent);
    Complex<double> result{1, 0};
    for (; count; count >>= 1) {
        if (count & 1)
            result = pythonProduct(result, base, annexG);
        base = pythonProduct(base, base, annexG);
    }
    return exponent <= 0 ? pythonReciprocal(result, annexG) : result;
}
bool isSmallInteger(Complex<double> b) {
    return b.im == 0 && b.re == std::floor(b.re) && std::abs(b.re) <= 100;
}
double powerPhase(Complex<double> a, Complex<double> b) {
    const double phase = std::atan2(a.im, a.re) * b.re;
    return b.im == 0 ? phase : phase + b.im * std::log(std::hypot(a.re, a.im));
}
Complex<double> pythonPower(Complex<double> a, Complex<double> b, bool annexG) {
    if (isSmallInteger(b))
        return pythonIntegerPower(a, static_cast<long>(b.re), annexG);
    if (a.re == 0 && a.im == 0)
        return {0, 0};
    double length = std::pow(std::hypot(a.re, a.im), b.re);
    if (b.im != 0)
        length /= std::exp(std::atan2(a.im, a.re) * b.im);
    const double phase = powerPhase(a, b);
    return {length * std::cos(phase), length * std::sin(phase)};
}

// How CPython's complex_pow fails: 1 ZeroDivisionError, 2 OverflowError, 0 not at all.
int pythonPowerError(Complex<double> a, Complex<double> b, Complex<double> result) {
    const bool zero = a.re == 0 && a.im == 0;
    if (zero && (b.im != 0 || b.re < 0))
        return 1;
    if (isSmallInteger(b) && b.re < 0) { // the power that is divided by may have become 0
        const Complex<double> power = pythonIntegerPower(a, static_cast<long>(-b.re), false);
        if (power.re == 0 && power.im == 0)
            return 1;
    }
    if (!zero && !isSmallInteger(b) && std::isinf(powerPhase(a, b)))
        return 1; // sin and cos have failed
    return isInfinite(result) ? 2 : 0;
}

__int128 roundedInt(int64_t x,
                    int64_t digits) { // to a multiple of 10^-digits; ties to even
    if (digits >= 0)
        return x;
    if (digits < -19)
        return 0;
    __int128 unit = 1;
    for (; digits < 0; ++digits)
        unit *= 10;
    const __int128 rest = ((x % unit) + unit) % unit, down = x - rest;
    const bool odd = (down / unit) % 2 != 0;
    return rest > unit / 2 || (rest == unit / 2 && odd) ? down + unit : down;
}

// Python's pow(base, exponent, modulus); nullopt where base has no inverse (negative exponent).
std::optional<int64_t> modularPower(int64_t base, int64_t exponent, int64_t modulus) {
    if (modulus == 0)
        return std::nullopt;
    const __int128 m = modulus < 0 ? -static_cast<__int128>(modulus) : modulus;
    __int128 factor = (base % m + m) % m, result = 1 % m;
    if (exponent < 0) { // extended Euclid: x * factor is r modulo m
        __int128 r = m, next = factor, x = 0, nextX = 1;
        while (next) {
            const __int128 quotient = r / next;
            std::tie(r, next) = std::pair(next, r - quotient * next);
            std::tie(x, nextX) = std::pair(nextX, x - quotient * nextX);
        }
        if (r != 1)
            return std::nullopt;
        factor = (x % m + m) % m;
    }
    for (uint64_t left = exponent < 0 ? -static_cast<uint64_t>(exponent) : uint64_t(exponent); left;
         left >>= 1, factor = factor * factor % m)
        if (left & 1)
            result = result * factor % m;
    return static_cast<int64_t>(modulus < 0 && result ? result + modulus : result);
}

template <class T> int frexpExponent(T x) {
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::isfinite(x) ? exponent : 0;
}
template <class T> T frexpMantissa(T x) {
    int exponent;
    return std::frexp(x, &exponent);
}

} // namespace

using Parts = shapecast::runtime::TwoFloats;
template <class T> static Parts parts(Complex<T> z) { return {double(z.re), double(z.im)}; }

extern "C" {

// Arguments and results are extended to 64 bits: the ABI leaves the extension of narrow integers
// open.
int64_t sc_ipow(int64_t base,
                int64_t exponent) { // negative: the caller raises, the value is not used
    return exponent < 0 ? 0 : static_cast<int64_t>(wrappingPower(base, exponent));
}
uint64_t sc_upow(uint64_t base, uint64_t exponent) { return wrappingPower(base, exponent); }
uint64_t sc_gcd(uint64_t a, uint64_t b) { return std::gcd(a, b); }
uint64_t sc_lcm(uint64_t a, uint64_t b) {
    const uint64_t divisor = std::gcd(a, b);
    return divisor ? a / divisor * b : 0;
}

// int ** int, and whether it overflows; for a negative exponent the caller raises.
int64_t sc_py_pow(int64_t base, int64_t exponent) { return sc_ipow(base, exponent); }
int32_t sc_py_pow_overflows(int64_t base, int64_t exponent) {
    int64_t result = 1;
    bool overflow = false, square = false; // square: the next square overflows
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            overflow |= square || __builtin_mul_overflow(result, base, &result);
        square |= __builtin_mul_overflow(base, base, &base);
    }
    return overflow;
}
// a / b correctly rounded, where a or b is beyond 2^53.
double sc_py_truediv(int64_t a, int64_t b) { return trueQuotient(a, b); }
// The same of ints of 128 bits, each as its low and its high word.
double sc_py_wide_truediv(int64_t aLow, int64_t aHigh, int64_t bLow, int64_t bHigh) {
    const auto wide = [](int64_t low, int64_t high) {
        return static_cast<__int128>(static_cast<unsigned __int128>(static_cast<uint64_t>(high))
                                         << 64 |
                                     static_cast<uint64_t>(low));
    };
    const __int128 a = wide(aLow, aHigh), b = wide(bLow, bHigh);
    if (b == 0)
        return 0;
    unsigned __int128 x = a, y = b;
    x = a < 0 ? -x : x;
    y = b < 0 ? -y : y;
    constexpr auto exact = static_cast<unsigned __int128>(1) << 53;
    if (x <= exact && y <= exact)
        return static_cast<double>(a) / static_cast<double>(b);
    // A quotient of at least 65 bits, whose last one says whether there is a rest, then rounds once.
    unsigned __int128 quotient = x / y, rest = x % y;
    int shift = 0;
    while (quotient != 0 || rest != 0) {
        if (quotient >> 64)
            break;
        rest <<= 1;
        quotient = quotient << 1 | static_cast<unsigned __int128>(rest >= y);
        rest -= rest >= y ? y : 0;
        ++shift;
    }
    quotient |= static_cast<unsigned __int128>(rest != 0);
    const double size = std::ldexp(static_cast<double>(quotient), -shift);
    return (a < 0) != (b < 0) ? -size : size;
}
// round(x, digits): the decimal that C prints is correctly rounded, as CPython's own is.
double sc_py_round(double x, int64_t digits) {
    if (!std::isfinite(x) || digits > 323)
        return x;
    if (digits < -308)
        return std::copysign(0.0, x);
    if (digits < 0) {
        const double unit = std::pow(10.0, static_cast<double>(-digits));
        return std::nearbyint(x / unit) * unit;
    }
    char text[700];
    std::snprintf(text, sizeof text, "%.*f", static_cast<int>(digits), x);
    return std::strtod(text, nullptr);
}
int64_t sc_py_round_int(int64_t x, int64_t digits) {
    return static_cast<int64_t>(roundedInt(x, digits));
}
int32_t sc_py_round_int_overflows(int64_t x, int64_t digits) {
    const __int128 rounded = roundedInt(x, digits);
    return rounded != static_cast<int64_t>(rounded);
}
int64_t sc_py_isqrt(int64_t x) {
    if (x < 0)
        return 0;
    auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(x)));
    while (root > 3037000499 || root * root > x)
        --root;
    while (root < 3037000499 && (root + 1) * (root + 1) <= x)
        ++root;
    return root;
}
int32_t sc_py_lcm_overflows(uint64_t a, uint64_t b) {
    uint64_t product;
    const uint64_t divisor = std::gcd(a, b);
    return divisor && (__builtin_mul_overflow(a / divisor, b, &product) || product > INT64_MAX);
}
// n! / (n - k)!, or -1 where that is beyond 64 bits.
int64_t sc_py_perm(int64_t n, int64_t k) {
    if (k > n)
        return 0;
    int64_t result = 1;
    for (int64_t i = 0; i < k; ++i)
        if (n - i > 1 && __builtin_mul_overflow(result, n - i, &result))
            return -1;
    return result;
}
int64_t sc_py_comb(int64_t n, int64_t k) {
    if (k > n)
        return 0;
    k = std::min(k, n - k);
    unsigned __int128 result = 1;
    for (int64_t i = 0; i < k; ++i) {
        result =
            result * static_cast<unsigned __int128>(n - i) / static_cast<unsigned __int128>(i + 1);
        if (result > INT64_MAX)
            return -1;
    }
    return static_cast<int64_t>(result);
}
int64_t sc_py_powmod(int64_t base, int64_t exponent, int64_t modulus) {
    return modularPower(base, exponent, modulus).value_or(0);
}
int32_t sc_py_powmod_fails(int64_t base, int64_t exponent, int64_t modulus) {
    return modulus != 0 && !modularPower(base, exponent, modulus);
}
// Floor division of the integer with these two words by a divisor that is not zero.
static __int128 wide(int64_t low, int64_t high) {
    return static_cast<__int128>(high) << 64 | static_cast<uint64_t>(low);
}
static __int128 wideQuotient(__int128 a, int64_t divisor) {
    const __int128 quotient = a / divisor;
    const __int128 remainder = a - quotient * divisor;
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? quotient - 1 : quotient;
}
int64_t sc_py_wide_mod(int64_t low, int64_t high, int64_t divisor) {
    if (divisor > 0 && (divisor & (divisor - 1)) == 0)
        return low & (divisor - 1);
    const auto remainder = static_cast<int64_t>(wide(low, high) % divisor);
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder;
}
int64_t sc_py_wide_floordiv(int64_t low, int64_t high, int64_t divisor) {
    return static_cast<int64_t>(wideQuotient(wide(low, high), divisor));
}
int32_t sc_py_wide_floordiv_overflows(int64_t low, int64_t high, int64_t divisor) {
    const __int128 quotient = wideQuotient(wide(low, high), divisor);
    return quotient != static_cast<int64_t>(quotient);
}
int32_t sc_py_cpow_error(double ar, double ai, double br, double bi, double re, double im) {
    return pythonPowerError({ar, ai}, {br, bi}, {re, im});
}
Parts sc_py_cpow(double ar, double ai, double br, double bi, int32_t annexG) {
    return parts(pythonPower({ar, ai}, {br, bi}, annexG != 0));
}

int32_t sc_half_spacing(int32_t half) { // npy_half_spacing
    const int exponent = half & 0x7c00, fraction = half & 0x03ff;
    if (exponent == 0x7c00)
        return 0x7e00;
    if (half == 0x7bff)
        return 0x7c00;
    if ((half & 0x8000) && fraction == 0) {
        if (exponent > 0x2c00)
            return exponent - 0x2c00;
        return exponent > 0x0400 ? 1 << ((exponent >> 10) - 2) : 1;
    }
    if (exponent > 0x2800)
        return exponent - 0x2800;
    return exponent > 0x0400 ? 1 << ((exponent >> 10) - 1) : 1;
}
double sc_frexp_mantissa(double x) { return frexpMantissa(x); }
float sc_frexp_mantissaf(float x) { return frexpMantissa(x); }
int32_t sc_frexp_exponent(double x) { return frexpExponent(x); }
int32_t sc_frexp_exponentf(float x) { return frexpExponent(x); }

#define SC_PARTS(name)                                                                             \
    Parts sc_c##name(double re, double im) { return parts(name##Of(re, im)); }                     \
    Parts sc_c##name##f(float re, float im) { return parts(name##Of(re, im)); }
#define SC_COMPLEX(use) SC_C_COMPLEX(use) use(exp2) use(expm1) use(log2) use(log10) use(log1p)
SC_COMPLEX(SC_PARTS)

// Scalar versions of functions that mathlib has for vectors.
double gammaln(double x) {
    int sign;
    return x == -HUGE_VAL ? x : lgamma_r(x, &sign);
}
float gammalnf(float x) { return float(gammaln(double(x))); }
double rootsum(double re, double im) {
    const Complex<double> root = sqrtOf(re, im);
    return std::fmax(std::abs(root.re), std::abs(root.im));
}
double expcos(double re, double im) { return expOf(re, im).re; }
double expsin(double re, double im) { return expOf(re, im).im; }

Parts sc_cpow(double ar, double ai, double br, double bi) { return parts(powOf(ar, ai, br, bi)); }
Parts sc_cpowf(float ar, float ai, float br, float bi) { return parts(powOf(ar, ai, br, bi)); }
}

namespace shapecast::runtime {
namespace {

#define SC_OWN(name) symbolOf<&name>(),
#define SC_COMPLEX_ROW(name) SC_OWN(sc_c##name) SC_OWN(sc_c##name##f)
#define SC_LIBM1(name)                                                                             \
    symbolOf(#name, static_cast<double (*)(double)>(&::name)),                                     \
        symbolOf(#name "f", static_cast<float (*)(float)>(&::name##f)),
#define SC_LIBM2(name)                                                                             \
    symbolOf(#name, static_cast<double (*)(double, double)>(&::name)),                             \
        symbolOf(#name "f", static_cast<float (*)(float, float)>(&::name##f)),

#define SC_OWN_NAMES(use)                                                                          \
    use(sc_ipow) use(sc_upow) use(sc_gcd) use(sc_lcm) use(sc_half_spacing) use(sc_frexp_mantissa)  \
        use(sc_frexp_mantissaf) use(sc_frexp_exponent) use(sc_frexp_exponentf) use(sc_cpow)        \
            use(sc_cpowf) use(sc_py_pow) use(sc_py_pow_overflows) use(sc_py_truediv)               \
                use(sc_py_round) use(sc_py_round_int) use(sc_py_round_int_overflows)               \
                    use(sc_py_isqrt) use(sc_py_lcm_overflows) use(sc_py_perm) use(sc_py_comb)      \
                        use(sc_py_powmod) use(sc_py_powmod_fails) use(sc_py_cpow)                  \
                            use(sc_py_wide_mod) use(sc_py_wide_floordiv) use(sc_py_wide_truediv)   \
                                use(sc_py_wide_floordiv_overflows) use(sc_py_cpow_error)
#define SC_LIBM1_NAMES(use)                                                                        \
    SC_C_COMPLEX(use)                                                                              \
    use(exp2) use(expm1) use(log2) use(log10) use(log1p) use(cbrt) use(erf) use(erfc) use(tgamma)  \
        use(lgamma) use(floor) use(ceil) use(trunc) use(rint) use(nearbyint) use(round) use(fabs)
#define SC_LIBM2_NAMES(use)                                                                        \
    use(atan2) use(hypot) use(pow) use(fmod) use(remainder) use(copysign) use(nextafter)

// clang-format off
const RuntimeSymbol symbols[] = {
    SC_OWN_NAMES(SC_OWN)
    SC_COMPLEX(SC_COMPLEX_ROW)
    SC_LIBM1_NAMES(SC_LIBM1)
    SC_LIBM2_NAMES(SC_LIBM2)
    SC_OWN(gammaln)
    SC_OWN(gammalnf)
    SC_OWN(rootsum)
    SC_OWN(expcos)
    SC_OWN(expsin)
    symbolOf("ldexp", static_cast<double (*)(double, int)>(&::ldexp)),
    symbolOf("ldexpf", static_cast<float (*)(float, int)>(&::ldexpf)),
};
// clang-format on

} // namespace

SymbolTable mathSymbols() { return symbols; }

} // namespace shapecast::runtime
