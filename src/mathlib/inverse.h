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
    const Pair<V> root = rootOf<V>({half, V(0)});
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

template <class V> constexpr int arcEntries = hasFourWords<V> ? 4 : isDouble<V> ? 16 : 32;
template <class V> using ArcsOf = ArcTables<Element<V>, arcEntries<V>>;

// atan(a / b) for a, b >= 0, not both 0, not huge: atan(c) from a table, for the c of the interval
// of the ratio, plus the atan of (a - c b) / (b + c a). The table's arcs are exact, and the second
// term's error is small beside them: intervals are half an octave (float32: a quarter), and the
// first one's arc is 0.
template <class V> SC_INLINE Pair<V> arcTangent(V a, V b, V ratio) {
    using T = ArcsOf<V>;
    constexpr int shift = mantissaBits<V> - (isDouble<V> ? 1 : 2);
    const Integers<V> index = bitsOf(clamp(ratio, T::least, T::most)) >> shift;
    const V c = lookUp<V>(T::ratio, index);
    const V top = fma(-c, b, a), bottom = fma(c, a, b), t = top / bottom, z = t * t;
    const V rest = fma(-t, bottom, top) * roughReciprocal(bottom);
    return {lookUp<V>(T::arc, index), t + fma(t * z, polynomial(z, T::tail), rest)};
}

// The same with AVX2, whose tables have 4 numbers: 0 <= a <= b, and the nearest of 4 ratios is
// found without a division.
template <class V> SC_INLINE Pair<V> arcTangentBelow1(V a, V b) {
    using T = ArcsOf<V>;
    const auto above = [a, b](Element<V> limit) -> Integers<V> { return a > b * limit; };
    const Integers<V> first = above(0.125), second = above(0.375), third = above(0.625);
    const Integers<V> index = -(first + second + third);
    const V upper = third ? V(Element<V>(0.75)) : V(Element<V>(0.5));
    const V c = second ? upper : first ? V(Element<V>(0.25)) : V(0);
    const V top = fma(-c, b, a); // exact
    const V bottom = fma(c, a, b);
    const Pair<V> t = shortQuotient<V>({top, V(0)}, {bottom, mad(c, a, b - bottom)});
    const V z = t.hi * t.hi; // does not depend on the division's remainder
    const Pair<V> sum = fastTwoSum(lookUp<V>(T::hi, index), t.hi);
    const V low = sum.lo + (lookUpRough<V>(T::lo, index) + t.lo);
    return {sum.hi, mad(z * t.hi, polynomial(z, T::tail), low)};
}

// from + rest -+ arc
template <class V> SC_INLINE Pair<V> arcFrom(V from, V rest, Pair<V> arc, Integers<V> sign) {
    const Pair<V> sum = fastTwoSum(from, xorSign(arc.hi, sign));
    return {sum.hi, (sum.lo + rest) + xorSign(arc.lo, sign)};
}

// atan(a / b), or where `left` is set pi less that.
template <class V> SC_INLINE V arcOf(V a, V b, Integers<V> left) {
    using T = TablesOf<V>;
    V from = left ? V(2 * T::halfPi0) : V(0), rest = left ? V(2 * T::halfPi1) : V(0);
    Pair<V> arc;
    if constexpr (hasFourWords<V>) {
        const Integers<V> steep = a > b;
        arc = arcTangentBelow1(steep ? b : a, steep ? a : b);
        from = steep ? V(T::halfPi0) : from;
        rest = steep ? V(T::halfPi1) : rest;
        arc = arcFrom(from, rest, arc, (steep ^ left) & signBit<V>);
    } else {
        arc = arcTangent(a, b, a * roughReciprocal(b));
        arc = arcFrom(from, rest, arc, left & signBit<V>);
    }
    return arc.hi + arc.lo;
}

template <class V> SC_INLINE V atan(V x) {
    const V size = atMost(abs(x), Element<V>(isDouble<V> ? 0x1p80 : 0x1p40));
    V result;
    if constexpr (hasFourWords<V>) {
        result = arcOf(size, V(1), Integers<V>(0));
    } else {
        const Pair<V> arc = arcTangent(size, V(1), size);
        result = arc.hi + arc.lo;
    }
    return withSign(x == x ? result : x, x);
}

// Of y and x and their sizes, which may be scaled.
template <class V> SC_INLINE V atan2Inside(V y, V x, V high, V wide) {
    return withSign(arcOf(high, wide, signOf(x) >> (sizeof(Element<V>) * 8 - 1)), y);
}

// Zeros, infinities, NaN, and numbers whose ratios or products are not normal.
template <class V> SC_EDGES V atan2Edges(V y, V x, Integers<V> regular) {
    V high = abs(y), wide = abs(x);
    const V large = high > wide ? high : wide;
    const auto endless = large == V(infinity<V>);
    high = endless ? (high == large ? V(1) : V(0)) : high;
    wide = endless ? (wide == large ? V(1) : V(0)) : wide;
    wide = large == V(0) ? V(1) : wide;
    const V exponent = exponentOf((endless | (large == V(0))) ? V(1) : large);
    const V low = scale(high, -exponent);
    const V result = atan2Inside(y, x, low, scale(wide, -exponent));
    // Tiny ratios of positive x: the quotient itself, which may be denormal.
    const auto tiny = (low < V(Element<V>(isDouble<V> ? 0x1p-60 : 0x1p-30))) & (signOf(x) == 0) &
                      (high < wide) & ~regular;
    const V edge = tiny ? withSign(high / wide, y) : result;
    return ((x != x) | (y != y)) ? x + y : edge;
}

template <class V> SC_INLINE V atan2(V y, V x) {
    const V high = abs(y), wide = abs(x);
    const Element<V> least = isDouble<V> ? 0x1p-400 : 0x1p-40,
                     most = isDouble<V> ? 0x1p400 : 0x1p40;
    const auto steep = high > wide;
    const V less = steep ? wide : high, more = steep ? high : wide;
    const auto regular = (less > V(least)) & (more < V(most));
    if (__builtin_expect(anyLane(~regular), 0))
        return atan2Edges(y, x, regular);
    return atan2Inside(y, x, high, wide);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
