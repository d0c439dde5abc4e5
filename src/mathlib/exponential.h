// exp and what is made of it.
//
// x = k * step + r, where the step is the logarithm of 2^(1/16) (float32: of 2), so that
// e^x = 2^(k/16) * e^r with a table of the 16 powers and a short polynomial.
#pragma once

#include "mathlib/tables.h"
#include "mathlib/vector.h"

namespace shapecast::mathlib::SC_MATH_ISA {

template <class V> using TablesOf = Tables<Element<V>>;

template <class V> constexpr int powersPerOctave = isDouble<V> ? 16 : 1;

// r as hi + lo, and k / 16 as a number whose floor is the power of two.
template <class V> struct Reduced {
    V r, rest, exponent;
    Integers<V> index; // its low four bits
};

template <class V> SC_INLINE Reduced<V> reduced(V r, V rest, Rounded<V> k) {
    return {r, rest, k.value * Element<V>(1.0 / powersPerOctave<V>), k.bits};
}

template <class V> SC_INLINE Reduced<V> reduceNatural(V x) {
    using T = TablesOf<V>;
    const Rounded<V> k = roundProduct(x, T::expInverse);
    const V high = fma(-k.value, V(T::expStepHi), x); // exact
    const V r = fma(-k.value, V(T::expStepLo), high);
    return reduced(r, mad(-k.value, V(T::expStepLo), high - r), k);
}

// 2^(index / 16) as hi + lo.
template <class V> SC_INLINE Pair<V> tablePower(Integers<V> index) {
    if constexpr (powersPerOctave<V> == 1)
        return {V(1), V(0)};
    else
        return {lookUp<V>(TablesOf<V>::powerHi, index), lookUp<V>(TablesOf<V>::powerLo, index)};
}

// e^r - 1 - r
template <class V> SC_INLINE V expTail(V r) {
    return r * r * polynomial(r, TablesOf<V>::expTail);
}

// e^(r + rest) * 2^exponent
template <class V> SC_INLINE V exponential(const Reduced<V> &x) {
    if constexpr (powersPerOctave<V> == 1) {
        // 1 + r * (...) rounds less often than the sum of r and its tail.
        const V slope = mad(x.r, polynomial(x.r, TablesOf<V>::expTail), V(1));
        return scale(fma(x.r, slope, V(1)), x.exponent);
    } else {
        const Pair<V> power = tablePower<V>(x.index);
        const V grown = mad(power.hi, x.r + expTail(x.r), power.lo);
        return scale(power.hi + grown, x.exponent);
    }
}

// Beyond these the result is 0 or infinity in any case.
template <class V> constexpr Element<V> expMost = isDouble<V> ? 750 : 110;

// float32: r is taken from [-0.25, 0.44], where the sum 1 + r + ... loses least.
template <class V> SC_INLINE Reduced<V> reduceShifted(V x, Element<V> inverse, Element<V> stepHi,
                                                      Element<V> stepLo) {
    const V k = rint(mad(x, V(inverse), Element<V>(-0.139)));
    const V r = fma(-k, V(stepLo), fma(-k, V(stepHi), x));
    return {r, V(0), k, {}};
}

template <class V> SC_INLINE V exp(V x) {
    using T = TablesOf<V>;
    x = clamp(x, -expMost<V>, expMost<V>);
    if constexpr (isDouble<V>)
        return exponential(reduceNatural(x));
    else
        return exponential(reduceShifted(x, T::expInverse, T::expStepHi, T::expStepLo));
}

template <class V> SC_INLINE V exp2(V x) {
    using T = TablesOf<V>;
    x = clamp(x, isDouble<V> ? -1100 : -160, isDouble<V> ? 1100 : 160);
    if constexpr (isDouble<V>) {
        const Rounded<V> k = roundProduct(x, 16);
        return exponential(reduced((x - k.value * 0.0625) * T::ln2Hi, V(0), k));
    } else {
        const V k = rint(x - Element<V>(0.139));
        return exponential(Reduced<V>{(x - k) * T::ln2Hi, V(0), k, {}});
    }
}

template <class V> SC_INLINE V exp10(V x) {
    using T = TablesOf<V>;
    x = clamp(x, isDouble<V> ? -350 : -50, isDouble<V> ? 350 : 50);
    const Rounded<V> k = roundProduct(x, T::exp10Inverse);
    const V high = fma(-k.value, V(T::exp10StepHi), x);
    const V low = mad(-k.value * T::exp10StepLo, V(T::ln10Hi), high * T::ln10Lo);
    const V r = fma(high, V(T::ln10Hi), low);
    return exponential(reduced(r, V(0), k));
}

// e^x - 1 as hi + lo (lo less than hi's last place), x where e^x / 2 is finite; times 2^(shift).
template <class V> SC_INLINE Pair<V> expm1Pair(V x, V &power, int shift) {
    const Reduced<V> reduced = reduceNatural(x);
    const Pair<V> entry = tablePower<V>(reduced.index);
    const V exponent = reduced.exponent + Element<V>(shift);
    power = scale(entry.hi, exponent);
    const V one = V(Element<V>(shift == 0 ? 1.0 : 0.5));
    const Pair<V> base = twoSum(power, -one);
    const Pair<V> linear = twoProduct(power, reduced.r);
    const Pair<V> sum = twoSum(base.hi, linear.hi);
    V low = mad(power, expTail(reduced.r) + reduced.rest, linear.lo + base.lo);
    if constexpr (powersPerOctave<V> > 1)
        low += scale(entry.lo, exponent);
    return {sum.hi, sum.lo + low};
}

template <class V> SC_INLINE V expm1(V x) {
    const V inside = clamp(x, isDouble<V> ? -40 : -20, isDouble<V> ? 709.8 : 88.8);
    V power;
    const Pair<V> half = expm1Pair(inside, power, -1);
    const V result = 2 * (half.hi + half.lo);
    const V safe = abs(x) < Element<V>(isDouble<V> ? 1e-300 : 1e-36) ? x : result;
    return x > Element<V>(isDouble<V> ? 709.79 : 88.73) ? V(infinity<V>) : safe;
}

// e^(2x) - 1 over itself and 2
template <class V> SC_INLINE V tanh(V x) {
    const V size = atMost(abs(x), isDouble<V> ? 22 : 10);
    V power;
    const Pair<V> above = expm1Pair(size + size, power, 0);
    const Pair<V> below = fastTwoSum(V(2), above.hi); // the sum is 2 where above is less
    const V error = above.hi > V(2) ? (above.hi - below.hi) + V(2) : below.lo;
    const Pair<V> result = quotient(above, {below.hi, error + above.lo});
    return withSign(result.hi + result.lo, x);
}

// e^x / 4 and e^-x / 4: their sum and difference, each as hi + lo, times the parts of e^r.
template <class V> struct Halves {
    Pair<V> sum, difference;
    V r, rest, sinhTail, coshTail;
};
template <class V> SC_INLINE Halves<V> halves(V x) {
    using T = TablesOf<V>;
    const Reduced<V> up = reduceNatural(x);
    const Pair<V> upper = tablePower<V>(up.index), lower = tablePower<V>(-up.index);
    const V a = scale(upper.hi, up.exponent - 2), b = scale(lower.hi, -up.exponent - 2);
    Halves<V> h;
    h.sum = fastTwoSum(a, b); // x is not negative
    h.difference = fastTwoSum(a, -b);
    if constexpr (powersPerOctave<V> > 1) {
        const V al = scale(upper.lo, up.exponent - 2), bl = scale(lower.lo, -up.exponent - 2);
        h.sum.lo += al + bl;
        h.difference.lo += al - bl;
    }
    const V z = up.r * up.r;
    h.r = up.r;
    h.rest = up.rest;
    h.sinhTail = up.r * z * polynomial(z, T::sinhTail);
    h.coshTail = z * polynomial(z, T::coshTail);
    return h;
}

template <class V> SC_INLINE V sinh(V x) {
    const V size = atMost(abs(x), isDouble<V> ? 711 : 90);
    const Halves<V> h = halves(size);
    const Pair<V> linear = twoProduct(h.sum.hi, h.r);
    const Pair<V> main = twoSum(h.difference.hi, linear.hi);
    V low = main.lo + (linear.lo + mad(h.sum.lo, h.r, h.difference.lo));
    low = mad(h.difference.hi, h.coshTail, mad(h.sum.hi, h.sinhTail + h.rest, low));
    const V result = 2 * (main.hi + low);
    const V safe = size < Element<V>(isDouble<V> ? 1e-300 : 1e-36) ? size : result;
    return withSign(safe, x);
}

template <class V> SC_INLINE V cosh(V x) {
    const Halves<V> h = halves(atMost(abs(x), isDouble<V> ? 711 : 90));
    const V linear = mad(h.difference.hi, h.r + (h.sinhTail + h.rest), h.sum.lo);
    return 2 * (h.sum.hi + mad(h.sum.hi, h.coshTail, linear));
}

} // namespace shapecast::mathlib::SC_MATH_ISA
