// The logarithm of |gamma(x)|.
//
// Up to 9: x is n + 2 + t with |t| up to a half, and gamma(x) = gamma(2 + t) * p, where p is a
// product of (x - 1), (x - 2), ..., or 1 / x, 1 / (x (x + 1)). log gamma(2 + t) is t times a
// polynomial, so that results near the zeros at 1 and 2 lose no precision. Above: Stirling's
// series. Negative numbers are left to the C library.
#pragma once

#include "mathlib/power.h"

#include <math.h>

namespace shapecast::mathlib::SC_MATH_ISA {

template <class V> constexpr Element<V> gammaShifted = 9; // up to here by the product p

// (hi + lo) * factor; lo is a small part of hi.
template <class V> SC_INLINE Pair<V> times(Pair<V> x, V factor) {
    const Pair<V> product = twoProduct(x.hi, factor);
    return {product.hi, mad(x.lo, factor, product.lo)};
}

template <class V> struct GammaShift {
    V t;
    Pair<V> product;
    V sign; // of the product's logarithm in the result
};
template <class V> SC_INLINE GammaShift<V> gammaShift(V x) {
    const V n = rint(x - V(2)), t = x - (n + V(2)); // exact
    Pair<V> up = {V(1), V(0)};
    for (int k = 0; k < 7; ++k)
        up = times(up, n > V(k) ? x - n + V(k) : V(1)); // t + 2 + k, which is exact here
    const Pair<V> square = twoProduct(x, x), sum = twoSum(x, square.hi);
    const auto below = n < V(0), twice = n < V(-1);
    const V hi = twice ? sum.hi : x, lo = twice ? sum.lo + square.lo : V(0);
    return {t, {below ? hi : up.hi, below ? lo : up.lo}, below ? V(-1) : V(1)};
}

// Of x from 1e-300 to 1e300 (float32: 1e-36 to 1e36).
template <class V> SC_INLINE V gammalnInside(V x) {
    using T = TablesOf<V>;
    const auto large = x > V(gammaShifted<V>);
    const GammaShift<V> shift = gammaShift(large ? V(3) : x);
    const Pair<V> log = longLog(large ? x : shift.product.hi);

    const V t = shift.t;
    const Pair<V> square = twoProduct(t, t), linear = twoProduct(t, V(T::gammaSlopeHi));
    const Pair<V> bend = twoProduct(square.hi, V(T::gammaBendHi));
    const V curve = square.hi * mad(t, polynomial(t, T::gammaTail), V(T::gammaBendLo));
    const V low =
        mad(square.lo, V(T::gammaBendHi), mad(t, V(T::gammaSlopeLo), linear.lo + bend.lo));
    const V correction = log.lo + shift.product.lo / shift.product.hi;
    const Pair<V> first = twoSum(shift.sign * log.hi, linear.hi), sum = twoSum(first.hi, bend.hi);
    const V small = sum.hi + (mad(shift.sign, correction, first.lo + sum.lo) + (low + curve));

    const V inverse = V(1) / x;
    const Pair<V> half = fastTwoSum(x, V(Element<V>(-0.5)));
    const V series = inverse * polynomial(inverse * inverse, T::stirling);
    const Pair<V> less = fastTwoSum(log.hi, V(-1)), product = twoProduct(half.hi, less.hi);
    const V rest = mad(half.hi, less.lo + log.lo, mad(half.lo, less.hi, product.lo));
    const Pair<V> whole = fastTwoSum(product.hi, V(T::stirlingHi));
    const V big = whole.hi + (whole.lo + (rest + (series + T::stirlingLo)));
    return large ? big : small;
}

template <class V> constexpr Element<V> gammaLimit = isDouble<V> ? 1e300 : 1e36;

template <class V> SC_INLINE Integers<V> gammaOutside(V x) {
    return ~((x > V(1 / gammaLimit<V>)) & (x < V(gammaLimit<V>)));
}
template <class V> [[gnu::noinline]] V gammalnAny(V x) {
    const auto outside = gammaOutside(x);
    V result = gammalnInside(outside ? V(1) : x);
    int sign = 0;
    for (int k = 0; k < lanes<V>; ++k)
        if (outside[k]) // -infinity as in SciPy
            result[k] = x[k] == -infinity<V> ? x[k] : Element<V>(::lgammal_r(x[k], &sign));
    return result;
}
template <class V> SC_INLINE V gammaln(V x) {
    if (__builtin_expect(anyLane(gammaOutside(x)), 0))
        return gammalnAny(x);
    return gammalnInside(x);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
