// Building blocks of the math functions: vectors of any width, error-free transformations, and the
// few operations that differ between instruction sets.
//
// The bodies are compiled once for each instruction set (isa_*.cpp), each time in a namespace of
// its own: else the linker would keep one copy of functions of the same name (ODR). Compiled with
// -ffp-contract=off: only explicit fma() is fused.
#pragma once

#include <stdint.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#if defined(__NVPTX__)
#define SC_MATH_ISA device
#elif defined(__aarch64__)
#define SC_MATH_ISA neon
#elif defined(__AVX512DQ__)
#define SC_MATH_ISA avx512
#elif defined(__FMA__)
#define SC_MATH_ISA avx2
#else
#define SC_MATH_ISA sse
#endif

#define SC_INLINE [[gnu::always_inline]] inline

#if defined(__AVX512DQ__) && defined(__clang__)
#define SC_MATH_KEEPS __attribute__((intel_ocl_bicc)) // zmm16-31 are callee-saved: mathlib.h
#define SC_MATH_CAN_KEEP true
#else // half of fewer registers is not enough
#define SC_MATH_KEEPS
#define SC_MATH_CAN_KEEP false
#endif
// Slow paths with the same calling convention as the fast ones, which so need not save registers
// for the call: none at all where it is a tail call. They must use only vectors: the convention
// does not preserve rbp, r12 and r13, which callers in C (tests/compiler/cpp/mathlib.cpp) expect.
#define SC_EDGES [[gnu::noinline]] SC_MATH_KEEPS

namespace shapecast::mathlib::SC_MATH_ISA {

template <class T, int N> using Vec = T __attribute__((ext_vector_type(N)));

template <class T> struct IntegerOf;
template <> struct IntegerOf<float> {
    using Type = int32_t;
};
template <> struct IntegerOf<double> {
    using Type = long; // as comparisons have it; int64_t is long long on devices
    static_assert(sizeof(Type) == 8);
};

template <class V> using Element = __typeof__(V{}[0] + V{}[0]);
template <class V> constexpr int lanes = sizeof(V) / sizeof(Element<V>);
template <class V> using Integers = Vec<typename IntegerOf<Element<V>>::Type, lanes<V>>;
template <class V> constexpr bool isDouble = sizeof(Element<V>) == 8;
template <class V> constexpr int mantissaBits = isDouble<V> ? 52 : 23;
template <class V> constexpr bool isFullVector = sizeof(V) == 64;

#ifdef __AVX512DQ__
constexpr bool hasAvx512 = true;
#else
constexpr bool hasAvx512 = false;
#endif

// AVX2's fastest table lookup has four 32-bit words (vpermilps): half a cycle on Zen 3, where a
// permutation of eight takes two.
#ifdef __AVX2__
template <class V> constexpr bool hasFourWords = !hasAvx512 && sizeof(V) == 32;
#else
template <class V> constexpr bool hasFourWords = false;
#endif

template <class V> constexpr Element<V> infinity = Element<V>(__builtin_inf());
template <class V> constexpr Element<V> notANumber = Element<V>(__builtin_nan(""));
template <class V> constexpr Element<V> leastNormal = isDouble<V> ? __DBL_MIN__ : __FLT_MIN__;

template <class V> SC_INLINE Integers<V> bitsOf(V x) { return __builtin_bit_cast(Integers<V>, x); }
template <class V> SC_INLINE V fromBits(Integers<V> x) { return __builtin_bit_cast(V, x); }
template <class V> SC_INLINE V splat(Element<V> x) { return V(x); }

template <class V>
constexpr typename IntegerOf<Element<V>>::Type signBit =
    typename IntegerOf<Element<V>>::Type(isDouble<V> ? INT64_MIN : INT32_MIN);

template <class V> SC_INLINE V abs(V x) { return __builtin_elementwise_abs(x); }
template <class V> SC_INLINE Integers<V> signOf(V x) { return bitsOf(x) & signBit<V>; }
// x with its sign flipped where `sign` has the sign bit.
template <class V> SC_INLINE V xorSign(V x, Integers<V> sign) {
    return fromBits<V>(bitsOf(x) ^ sign);
}
// |x| with the sign of y.
template <class V> SC_INLINE V withSign(V x, V y) { return __builtin_elementwise_copysign(x, y); }
template <class V> SC_INLINE V sqrt(V x) { return __builtin_elementwise_sqrt(x); }
template <class V> SC_INLINE V rint(V x) { return __builtin_elementwise_roundeven(x); }

// NaN stays NaN.
template <class V> SC_INLINE V clamp(V x, Element<V> low, Element<V> high) {
    x = x < V(low) ? V(low) : x;
    return x > V(high) ? V(high) : x;
}
template <class V> SC_INLINE V atMost(V x, Element<V> high) { return x > V(high) ? V(high) : x; }

template <class I> SC_INLINE bool anyLane(I mask) { return __builtin_reduce_or(mask) < 0; }

//===-- Error-free transformations

template <class V> struct Pair { // hi + lo
    V hi, lo;
};

// a + b exactly. The second form is for |a| >= |b|, for a = 0, and for a of few bits with any b:
// its error then is as small relative to hi's ULP as that is to hi.
template <class V> SC_INLINE Pair<V> twoSum(V a, V b) {
    const V hi = a + b, back = hi - a;
    return {hi, (a - (hi - back)) + (b - back)};
}
template <class V> SC_INLINE Pair<V> fastTwoSum(V a, V b) {
    const V hi = a + b;
    return {hi, b - (hi - a)};
}

#if defined(__FMA__) || defined(__aarch64__) || defined(__NVPTX__)
template <class V> SC_INLINE V fma(V a, V b, V c) { return __builtin_elementwise_fma(a, b, c); }
template <class V> SC_INLINE V mad(V a, V b, V c) { return __builtin_elementwise_fma(a, b, c); }
template <class V> SC_INLINE Pair<V> twoProduct(V a, V b) {
    const V hi = a * b;
    return {hi, fma(a, b, -hi)};
}
#else
template <class V> constexpr int upper = isDouble<V> ? 27 : 12;
template <class V> SC_INLINE V upperHalf(V x) { // the half of the bits, whose products are exact
    return fromBits<V>(bitsOf(x) >> upper<V> << upper<V>);
}
template <class V> SC_INLINE Pair<V> twoProduct(V a, V b) {
    const V hi = a * b, ah = upperHalf(a), bh = upperHalf(b), al = a - ah, bl = b - bh;
    return {hi, ((ah * bh - hi) + ah * bl + al * bh) + al * bl};
}
// All bits of the product count, as in the instruction.
template <class V> SC_INLINE V fma(V a, V b, V c) {
    const Pair<V> product = twoProduct(a, b), sum = twoSum(product.hi, c);
    return sum.hi + (sum.lo + product.lo);
}
template <class V> SC_INLINE V mad(V a, V b, V c) { return a * b + c; }
#endif
// Where the product's rounding error is negligible.
template <class V> SC_INLINE V mad(V a, V b, Element<V> c) { return mad(a, b, V(c)); }

// The coefficient of the highest power is the last. By Estrin's scheme: latency counts more than
// throughput.
template <int first, int count, class V, class T, int N>
SC_INLINE V partOfPolynomial(const V (&powers)[5], const T (&coefficients)[N]) {
    if constexpr (count == 1) {
        return V(coefficients[first]);
    } else {
        constexpr int level = count > 16 ? 4 : count > 8 ? 3 : count > 4 ? 2 : count > 2 ? 1 : 0;
        return mad(
            partOfPolynomial<first + (1 << level), count - (1 << level)>(powers, coefficients),
            powers[level], partOfPolynomial<first, 1 << level>(powers, coefficients));
    }
}
template <class V, class T, int N> SC_INLINE V polynomial(V x, const T (&coefficients)[N]) {
    static_assert(N <= 32);
    V powers[5] = {x};
    for (int k = 1; 1 << k < N; ++k)
        powers[k] = powers[k - 1] * powers[k - 1];
    return partOfPolynomial<0, N>(powers, coefficients);
}

//===-- Operations that differ between instruction sets

template <class V> struct Rounded { // to an integer: as a number, and in the low bits
    V value;
    Integers<V> bits;
};
// x * factor, below 2^51 or 2^22.
template <class V> SC_INLINE Rounded<V> roundProduct(V x, Element<V> factor) {
    const V magic = V(Element<V>(isDouble<V> ? 0x1.8p52 : 0x1.8p23));
    const V sum = mad(x, V(factor), magic);
    return {sum - magic, bitsOf(sum)};
}

// Of whole numbers, |x| < 2^51 or 2^22: AVX2 has no conversion to 64 bits.
template <class V> SC_INLINE Integers<V> toIntegers(V x) {
    const V magic = V(Element<V>(isDouble<V> ? 0x1.8p52 : 0x1.8p23));
    return bitsOf(x + magic) - bitsOf(magic);
}
template <class V> SC_INLINE V fromIntegers(Integers<V> k) {
    if constexpr (hasAvx512 || !isDouble<V>)
        return __builtin_convertvector(k, V);
    const V magic = V(Element<V>(isDouble<V> ? 0x1.8p52 : 0x1.8p23));
    return fromBits<V>(k + bitsOf(magic)) - magic;
}

// The exponent of a positive normal number, given its bits.
template <class V> SC_INLINE V exponentOfBits(Integers<V> bits) {
    if constexpr (hasFourWords<V> && isDouble<V>) { // which has no arithmetic shift of 64 bits
        const V magic = V(Element<V>(0x1p52));
        const auto biased = __builtin_bit_cast(Vec<uint64_t, lanes<V>>, bits) >> mantissaBits<V>;
        const auto number = __builtin_bit_cast(Integers<V>, biased) | bitsOf(magic);
        return fromBits<V>(number) - (magic + V(1023));
    }
    return fromIntegers<V>((bits >> mantissaBits<V>)-(isDouble<V> ? 1023 : 127));
}

template <class V> SC_INLINE V exponentOfNormal(V x) { // x > 0
#ifdef __AVX512DQ__
    if constexpr (isFullVector<V> && isDouble<V>)
        return _mm512_getexp_pd(x);
    else if constexpr (isFullVector<V>)
        return _mm512_getexp_ps(x);
#endif
    return exponentOfBits<V>(bitsOf(x));
}

// Mask of lanes where x is not a positive normal number.
template <class V> SC_INLINE Integers<V> notNormal(V x) {
    const Element<V> least = leastNormal<V>;
    if constexpr (!hasFourWords<V>)
        return ~((x >= V(least)) & (x < V(infinity<V>)));
    using I = Integers<V>; // an unsigned comparison
    const I first = bitsOf(V(least)), sign = I(signBit<V>);
    return bitsOf(x) - (first + sign) >= (bitsOf(V(infinity<V>)) - first) + sign;
}

template <class V> SC_INLINE bool anyNotNormal(V x) {
#ifdef __AVX512DQ__
    constexpr int allOthers = 0xff; // zeros, denormals, infinities, NaN and negative numbers
    if constexpr (isFullVector<V> && isDouble<V>)
        return _mm512_fpclass_pd_mask(x, allOthers) != 0;
    else if constexpr (isFullVector<V>)
        return _mm512_fpclass_ps_mask(x, allOthers) != 0;
#endif
    return anyLane(notNormal(x));
}

// k / 3, rounded down, for k from 0 to 32767.
template <class V> SC_INLINE Integers<V> thirdOf(Integers<V> k) {
    using Words = Vec<uint16_t, sizeof(V) / 2>;
    const Words words = __builtin_bit_cast(Words, k), factor = Words(21846);
    Words third;
    for (int at = 0; at < int(sizeof(V) / 2); ++at)
        third[at] = uint16_t(uint32_t(words[at]) * factor[at] >> 16);
    return __builtin_bit_cast(Integers<V>, third);
}

// 2^k; the exponent must be that of a normal number.
template <class V> SC_INLINE V powerOfTwo(Integers<V> k) {
    const int bias = isDouble<V> ? 1023 : 127;
    return fromBits<V>((k + bias) << mantissaBits<V>);
}

// x * 2^floor(exponent), rounded once; x near 1.
template <class V> SC_INLINE V scale(V x, V exponent) {
#ifdef __AVX512DQ__
    if constexpr (isFullVector<V> && isDouble<V>)
        return _mm512_scalef_pd(x, exponent);
    else if constexpr (isFullVector<V>)
        return _mm512_scalef_ps(x, exponent);
#endif
    const Element<V> most = isDouble<V> ? 2044 : 252;
    const Integers<V> all = toIntegers(clamp(__builtin_elementwise_floor(exponent), -most, most));
    const Integers<V> half = all >> 1;
    return x * powerOfTwo<V>(half) * powerOfTwo<V>(all - half);
}

#if defined(__AVX2__) && !defined(__AVX512DQ__)
// Each 32-bit word of the result is that of `words` at the index's two low bits.
SC_INLINE Vec<int, 8> fourWords(Vec<int, 4> words, Vec<int, 8> index) {
    const Vec<int, 8> twice = __builtin_shufflevector(words, words, 0, 1, 2, 3, 0, 1, 2, 3);
    return __builtin_bit_cast(Vec<int, 8>,
                              _mm256_permutevar_ps(__builtin_bit_cast(__m256, twice), index));
}
SC_INLINE Vec<int, 8> lowWords(Vec<int64_t, 4> index) { // in both halves
    const auto words = __builtin_bit_cast(Vec<int, 8>, index);
    return __builtin_shufflevector(words, words, 0, 0, 2, 2, 4, 4, 6, 6);
}
#endif

// table[index mod N]
template <class V, int N> SC_INLINE V lookUp(const Element<V> (&table)[N], Integers<V> index) {
#ifdef __AVX512DQ__
    if constexpr (isFullVector<V> && isDouble<V>)
        return _mm512_permutex2var_pd(_mm512_loadu_pd(table), index, _mm512_loadu_pd(table + 8));
    else if constexpr (isFullVector<V> && N == 32)
        return _mm512_permutex2var_ps(_mm512_loadu_ps(table), index, _mm512_loadu_ps(table + 16));
    else if constexpr (isFullVector<V>)
        return _mm512_permutexvar_ps(index, _mm512_loadu_ps(table));
#endif
#if defined(__AVX2__) && !defined(__AVX512DQ__)
    if constexpr (hasFourWords<V> && N == 4) {
        using Words = Vec<int, N * sizeof(Element<V>) / 4>;
        const Words words = __builtin_bit_cast(Words, table);
        if constexpr (isDouble<V>) {
            const auto lower = __builtin_shufflevector(words, words, 0, 2, 4, 6);
            const auto upper = __builtin_shufflevector(words, words, 1, 3, 5, 7);
            const Vec<int, 8> at = lowWords(index);
            return __builtin_bit_cast(V, __builtin_shufflevector(fourWords(lower, at),
                                                                 fourWords(upper, at), 0, 9, 2, 11,
                                                                 4, 13, 6, 15));
        } else {
            return __builtin_bit_cast(V, fourWords(words, index));
        }
    } else if constexpr (hasFourWords<V> && isDouble<V>) { // faster than a gather
        const Integers<V> at = index & (N - 1);
        return V{table[at[0]], table[at[1]], table[at[2]], table[at[3]]};
    } else if constexpr (hasFourWords<V> && N == 16) {
        const V low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), index);
        const V high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), index);
        return (index & 8) != 0 ? high : low;
    }
#endif
    V found;
    for (int k = 0; k < lanes<V>; ++k)
        found[k] = table[index[k] & (N - 1)];
    return found;
}

// table[index mod N] to 20 bits
template <class V, int N> SC_INLINE V lookUpRough(const Element<V> (&table)[N], Integers<V> index) {
#if defined(__AVX2__) && !defined(__AVX512DQ__)
    if constexpr (hasFourWords<V> && isDouble<V> && N == 4) { // the upper halves, twice
        const auto words = __builtin_bit_cast(Vec<int, 8>, table);
        const auto upper = __builtin_shufflevector(words, words, 1, 3, 5, 7);
        return __builtin_bit_cast(V, fourWords(upper, lowWords(index)));
    }
#endif
    return lookUp<V>(table, index);
}

// The exponent of a positive number, denormal ones included; those of 0 and infinity are infinite.
template <class V> SC_INLINE V exponentOf(V x) {
    if constexpr (hasAvx512 && isFullVector<V>)
        return exponentOfNormal(x); // the instruction's results are these
    using I = Integers<V>;
    const I tiny = x < V(leastNormal<V>);
    const V normal = tiny ? x * Element<V>(isDouble<V> ? 0x1p52 : 0x1p23) : x;
    const I k =
        (bitsOf(normal) >> mantissaBits<V>)-(isDouble<V> ? 1023 : 127) - (tiny & mantissaBits<V>);
    const V exponent = fromIntegers<V>(k);
    return x == V(0) ? V(-infinity<V>) : x < V(infinity<V>) ? exponent : x;
}

// 1 / x to a dozen bits.
template <class V> SC_INLINE V roughReciprocal(V x) {
#ifdef __AVX512DQ__
    if constexpr (isFullVector<V> && isDouble<V>)
        return _mm512_rcp14_pd(x);
    else if constexpr (isFullVector<V>)
        return _mm512_rcp14_ps(x);
#endif
    return V(1) / x;
}

// About 1 / x, to half the type's precision: quotients add a correction.
template <class V> SC_INLINE V halfReciprocal(V x) {
    const V guess = roughReciprocal(x);
    if constexpr (!(hasAvx512 && isFullVector<V>))
        return guess;
    const V error = fma(-x, guess, V(1));
    if constexpr (isDouble<V>)
        return fma(guess, fma(error, error, error), guess); // of third order: 42 bits
    else
        return fma(guess, error, guess);
}

// (a.hi + a.lo) / (b.hi + b.lo) where neither is tiny nor huge; lo may be more than an ULP of hi.
template <class V> SC_INLINE Pair<V> quotientBy(V inverse, Pair<V> a, Pair<V> b) {
    const V q = a.hi * inverse;
    const V rest = fma(-q, b.hi, a.hi) + mad(-q, b.lo, a.lo);
    return {q, rest * inverse};
}
template <class V> SC_INLINE Pair<V> quotient(Pair<V> a, Pair<V> b) {
    return quotientBy(halfReciprocal(b.hi), a, b);
}
// For final results, to 4 bits more than the type's precision.
template <class V> SC_INLINE Pair<V> shortQuotient(Pair<V> a, Pair<V> b) {
    return quotientBy(isDouble<V> ? halfReciprocal(b.hi) : roughReciprocal(b.hi), a, b);
}

// The root of x, which is 0 or positive and neither tiny nor huge, rounded (but for a rare last
// bit), and half its inverse to a dozen bits, which is finite.
template <class V> struct Root {
    V value, halfInverse;
};
template <class V> SC_INLINE Root<V> rootOf(V x) {
    const V least = V(Element<V>(isDouble<V> ? 1e-300 : 1e-36));
    [[maybe_unused]] const V positive = x > least ? x : least;
    const Element<V> half = 0.5;
#ifdef __AVX512DQ__
    if constexpr (isFullVector<V> && isDouble<V>) { // the instruction takes as long as 30 others
        const V guess = _mm512_rsqrt14_pd(positive), root = x * guess, inverse = half * guess;
        const V error = fma(-root, inverse, V(half));
        const V better = fma(root, error, root), halfInverse = fma(inverse, error, inverse);
        return {fma(fma(-better, better, x), halfInverse, better), halfInverse};
    } else if constexpr (isFullVector<V>) {
        return {sqrt(x), half * V(_mm512_rsqrt14_ps(positive))};
    }
#endif
    const V leastRoot = V(Element<V>(isDouble<V> ? 1e-150 : 1e-18)), root = sqrt(x);
    return {root, half / (root > leastRoot ? root : leastRoot)};
}

// The root of a.hi + a.lo.
template <class V> SC_INLINE Pair<V> rootOf(Pair<V> a) {
    const Root<V> root = rootOf(a.hi);
    return {root.value, (fma(-root.value, root.value, a.hi) + a.lo) * root.halfInverse};
}

} // namespace shapecast::mathlib::SC_MATH_ISA
