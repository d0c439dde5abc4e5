// asin, acos, atan, atan2.
#pragma once

#include "mathlib/exponential.h"

namespace shapecast::mathlib::SC_MATH_ISA {

template <class V> struct ArcSine { // asin of x up to a half, of sqrt((1 - x) / 2) above
    Pair<V> value;
    Integers<V> upper;
};
template <class V> SC_INLINE ArcSine<V> arcSine(V size) {
    const auto upper = size > V(Element<V>(0.5));
    const V half = mad(V(Element<V>(-0.5)), size, Element<V>(0.5)); // exact above a half
    const V z = upper ? half : size * size;
    const Pair<V> parts = rootOf<V>({half, V(0)}), root = fastTwoSum(parts.hi, parts.lo);
    const V s = upper ? root.hi : size, low = upper ? root.lo : V(0);
    return {{s, mad(s * z, polynomial(z, TablesOf<V>::asinTail), low)}, upper};
}

template <class V> SC_INLINE V asin(V x) {
    using T = TablesOf<V>;
    const ArcSine<V> arc = arcSine(abs(x));
    const Pair<V> sum = fastTwoSum(V(T::halfPi0), -2 * arc.value.hi);
    const V above = sum.hi + mad(V(-2), arc.value.lo, sum.lo + T::halfPi1);
    const V result = arc.upper ? above : arc.value.hi + arc.value.lo;
    return withSign(abs(x) <= V(1) ? result : V(notANumber<V>), x);
}

template <class V> SC_INLINE V acos(V x) {
    using T = TablesOf<V>;
    const ArcSine<V> arc = arcSine(abs(x));
    // pi/2 - asin x, twice the asin of the root, or pi less that
    const auto negative = x < V(0), outside = arc.upper;
    const Element<V> pi0 = 2 * T::halfPi0, pi1 = 2 * T::halfPi1;
    const V from = outside ? (negative ? V(pi0) : V(0)) : V(T::halfPi0);
    const V fromRest = outside ? (negative ? V(pi1) : V(0)) : V(T::halfPi1);
    const V factor = outside ? (negative ? V(-2) : V(2)) : (negative ? V(1) : V(-1));
    const Pair<V> sum = twoSum(from, factor * arc.value.hi);
    const V result = sum.hi + mad(factor, arc.value.lo, sum.lo + fromRest);
    return abs(x) <= V(1) ? result : V(notANumber<V>);
}

template <class V> constexpr int arcRatios = hasFourWords<V> ? 4 : 16;

template <class V> struct Ratio {
    V value;
    Integers<V> index;
};
// That of the table which is the nearest to a / b.
template <class V> SC_INLINE Ratio<V> nearestRatio(V a, V b) {
    if constexpr (hasFourWords<V>) { // without waiting for a division
        const auto above = [a, b](Element<V> limit) -> Integers<V> { return a > b * limit; };
        const Integers<V> first = above(0.125), second = above(0.375), third = above(0.625);
        const V value = first ? V(Element<V>(0.25)) : V(0);
        return {third    ? V(Element<V>(0.75))
                : second ? V(Element<V>(0.5))
                         : value,
                -(first + second + third)};
    }
    const Rounded<V> ratio = roundProduct(atMost(a * roughReciprocal(b), Element<V>(0.95)), 16);
    return {ratio.value * Element<V>(0.0625), ratio.bits};
}

// atan(a / b) for 0 <= a <= b, not tiny nor huge: of the nearest of 16 ratios c from a table (4
// with AVX2), and of what is between them, (a - c b) / (b + c a).
template <class V> SC_INLINE Pair<V> arcTangent(V a, V b) {
    using T = ArcTables<Element<V>, arcRatios<V>>;
    const Ratio<V> ratio = nearestRatio(a, b);
    const V c = ratio.value;
    const V top = fma(-c, b, a); // exact
    const V bottom = fma(c, a, b);
    const Pair<V> t = shortQuotient<V>({top, V(0)}, {bottom, mad(c, a, b - bottom)});
    // Where a division is exact enough for the tail, this does not wait for its rest.
    const V whole = hasFourWords<V> ? t.hi : t.hi + t.lo, z = whole * whole;
    const Pair<V> sum = fastTwoSum(lookUp<V>(T::hi, ratio.index), t.hi);
    const V low = sum.lo + (lookUpRoughly<V>(T::lo, ratio.index) + t.lo);
    return {sum.hi, mad(z * whole, polynomial(z, T::tail), low)};
}

template <class V> SC_INLINE V atan(V x) {
    using T = TablesOf<V>;
    const V size = atMost(abs(x), Element<V>(isDouble<V> ? 0x1p80 : 0x1p40));
    const auto steep = size > V(1);
    const Pair<V> arc = arcTangent(steep ? V(1) : size, steep ? size : V(1));
    const Integers<V> turn = steep & signBit<V>;
    const V from = steep ? V(T::halfPi0) : V(0), fromRest = steep ? V(T::halfPi1) : V(0);
    const Pair<V> sum = fastTwoSum(from, turned(arc.hi, turn));
    const V result = sum.hi + ((sum.lo + fromRest) + turned(arc.lo, turn));
    return withSign(x == x ? result : x, x);
}

// From the smaller and the larger of |y| and |x|.
template <class V> SC_INLINE V atan2Inside(V y, V x, V a, V b, Integers<V> steep) {
    using T = TablesOf<V>;
    const Pair<V> arc = arcTangent(a, b);
    const auto left = signOf(x) != 0;
    const V from = steep ? V(T::halfPi0) : left ? V(2 * T::halfPi0) : V(0);
    const V fromRest = steep ? V(T::halfPi1) : left ? V(2 * T::halfPi1) : V(0);
    const Integers<V> turn = (steep ? ~signOf(x) : signOf(x)) & signBit<V>;
    const Pair<V> sum = fastTwoSum(from, turned(arc.hi, turn));
    return withSign(sum.hi + ((sum.lo + fromRest) + turned(arc.lo, turn)), y);
}

// Zeros, infinities, NaN, and numbers whose ratios or products are not normal.
template <class V> [[gnu::noinline]] V atan2Edges(V y, V x, Integers<V> regular) {
    const V high = abs(y), wide = abs(x);
    const auto steep = high > wide;
    V a = steep ? wide : high, b = steep ? high : wide;
    const auto endless = b == V(infinity<V>);
    a = endless ? (a == b ? V(1) : V(0)) : a;
    a = b == V(0) ? V(0) : a;
    b = (endless | (b == V(0))) ? V(1) : b;
    const V exponent = exponentOf(b);
    const V low = scale(a, -exponent);
    const V result = atan2Inside(y, x, low, scale(b, -exponent), steep);
    // Tiny ratios of positive x: the quotient itself, which may be denormal.
    const auto tiny = (low < V(Element<V>(isDouble<V> ? 0x1p-60 : 0x1p-30))) & (signOf(x) == 0) &
                      ~steep & ~regular;
    const V edge = tiny ? withSign(a / b, y) : result;
    return ((x != x) | (y != y)) ? x + y : edge;
}

template <class V> SC_INLINE V atan2(V y, V x) {
    const V high = abs(y), wide = abs(x);
    const auto steep = high > wide;
    const V a = steep ? wide : high, b = steep ? high : wide;
    const Element<V> least = isDouble<V> ? 0x1p-400 : 0x1p-40,
                     most = isDouble<V> ? 0x1p400 : 0x1p40;
    const auto regular = (a > V(least)) & (b < V(most));
    if (__builtin_expect(anyLane(~regular), 0))
        return atan2Edges(y, x, regular);
    return atan2Inside(y, x, a, b, steep);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
