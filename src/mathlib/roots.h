// cbrt, hypot, and the larger part of a complex square root.
#pragma once

#include "mathlib/exponential.h"

namespace shapecast::mathlib::SC_MATH_ISA {

// The cube root of s from 1 to 8: from an approximation y of so few bits that its cube is exact,
// and a polynomial in the relative difference of s and the cube.
template <class V> SC_INLINE V cubeRootInside(V s, V z, Integers<V> octaves) {
    using T = CubeTables<Element<V>, hasFourWords<V> ? 4 : isDouble<V> ? 16 : 32>;
    using I = Integers<V>;
    constexpr int bits = mantissaBits<V>;
    if constexpr (!isDouble<V> && !hasFourWords<V>) { // y of each eighth of an octave
        const I index = bitsOf(s) >> (bits - 3);
        const V y = lookUp<V>(T::root, index);
        const V r = (s - lookUp<V>(T::cube, index)) * lookUp<V>(T::inverse, index);
        return fma(y * r, polynomial(r, T::tail), y);
    } else {
        V rough; // half a unit of y too large
        if constexpr (hasFourWords<V>) {
            const V inverse = polynomial(z, T::guess) * lookUp<V>(T::factor, octaves);
            rough = mad(s, inverse * inverse, T::half);
        } else { // by a line in each quarter of an octave
            const I at = bitsOf(s) >> (bits - 2);
            rough = mad(s, lookUp<V>(T::slope, at), lookUp<V>(T::start, at));
        }
        constexpr int dropped = isDouble<V> ? 36 : 16;
        const V y = fromBits<V>(bitsOf(rough) >> dropped << dropped);
        const V r = (s - y * y * y) * (V(1) / s); // over s: does not depend on y
        return fma(y * r, polynomial(r, T::tail), y);
    }
}

template <class V> SC_INLINE V cubeRoot(V size) { // of a positive normal number
    using I = Integers<V>;
    constexpr int bits = mantissaBits<V>;
    const I one = bitsOf(V(1)), mantissa = (I(1) << bits) - 1;
    const I exponent = (bitsOf(size) >> bits) + (isDouble<V> ? 0 : 2); // 1 has a multiple of 3
    const I third = thirdOf<V>(exponent), octaves = exponent - third - third - third;
    const V z = fromBits<V>((bitsOf(size) & mantissa) | one);
    const V root = cubeRootInside(fromBits<V>(bitsOf(z) + (octaves << bits)), z, octaves);
    return fromBits<V>(bitsOf(root) + ((third - (isDouble<V> ? 341 : 43)) << bits));
}

// Denormal numbers too, and those that are their own root: zeros, infinities, NaN.
template <class V> SC_EDGES V cbrtEdges(V x) {
    const V size = abs(x), inside = size < V(infinity<V>) ? size : V(1);
    const auto tiny = inside < V(leastNormal<V>);
    const V up = V(Element<V>(isDouble<V> ? 0x1p54 : 0x1p24)),
            down = Element<V>(isDouble<V> ? 0x1p-18 : 0x1p-8);
    const V root = cubeRoot(tiny ? inside * up : inside);
    const V result = tiny ? root * down : root;
    return withSign(((size > V(0)) & (size < V(infinity<V>))) ? result : size, x);
}

template <class V> SC_INLINE V cbrt(V x) {
    const V size = abs(x);
    if (__builtin_expect(anyNotNormal(size), 0))
        return cbrtEdges(x);
    return xorSign(cubeRoot(size), signOf(x));
}

template <class V> SC_INLINE V hypotInside(V large, V small) {
    const Pair<V> a = twoProduct(large, large), b = twoProduct(small, small);
    const Pair<V> sum = fastTwoSum(a.hi, b.hi);
    const Pair<V> root = rootOf<V>({sum.hi, sum.lo + (a.lo + b.lo)});
    return root.hi + root.lo;
}

template <class V> SC_EDGES V hypotEdges(V large, V small) {
    const auto regular = (large > V(0)) & (large < V(infinity<V>));
    const V exponent = exponentOf(regular ? large : V(1));
    const V most = regular ? scale(large, -exponent) : V(1);
    const V least = regular ? scale(small, -exponent) : V(0);
    const V result = scale(hypotInside(most, least), exponent);
    const auto endless = (large == V(infinity<V>)) | (small == V(infinity<V>));
    return (regular & (small == small)) ? result : endless ? V(infinity<V>) : large + small;
}

template <class V> SC_INLINE V hypot(V x, V y) {
    const V a = abs(x), b = abs(y);
    const V large = a > b ? a : b, small = a > b ? b : a;
    const Element<V> least = isDouble<V> ? 0x1p-400 : 0x1p-45,
                     most = isDouble<V> ? 0x1p400 : 0x1p50;
    const auto regular = (large > V(least)) & (large < V(most)) & (small >= V(0));
    if (__builtin_expect(anyLane(~regular), 0))
        return hypotEdges(large, small);
    return hypotInside(large, small);
}

// sqrt((|x| + |x + iy|) / 2), with double-double intermediate results.
template <class V> SC_INLINE V rootsumInside(V a, V b) {
    const V large = a > b ? a : b, small = a > b ? b : a;
    const Pair<V> first = twoProduct(large, large), second = twoProduct(small, small);
    const Pair<V> sum = fastTwoSum(first.hi, second.hi);
    const Pair<V> size = rootOf<V>({sum.hi, sum.lo + (first.lo + second.lo)});
    const Pair<V> twice = twoSum(size.hi, a);
    const Element<V> half = 0.5;
    const Pair<V> root = rootOf<V>({half * twice.hi, half * (twice.lo + size.lo)});
    return root.hi + root.lo;
}

template <class V> SC_EDGES V rootsumEdges(V a, V b) {
    const V large = a > b ? a : b;
    const auto regular = (large > V(0)) & (large < V(infinity<V>)) & (a == a) & (b == b);
    const V half =
        __builtin_elementwise_floor(exponentOf(regular ? large : V(1)) * Element<V>(0.5));
    const V x = regular ? scale(a, -2 * half) : V(1), y = regular ? scale(b, -2 * half) : V(1);
    const auto endless = (a == V(infinity<V>)) | ((b == V(infinity<V>)) & (a == a));
    const V result = scale(rootsumInside(x, y), half);
    return regular ? result : endless ? V(infinity<V>) : a + b;
}

template <class V> SC_INLINE V rootsum(V x, V y) {
    const V a = abs(x), b = abs(y), sum = a + b; // NaN where one is
    const Element<V> least = isDouble<V> ? 0x1p-400 : 0x1p-45,
                     most = isDouble<V> ? 0x1p400 : 0x1p50;
    const auto regular = (sum > V(least)) & (sum < V(most));
    if (__builtin_expect(anyLane(~regular), 0))
        return rootsumEdges(a, b);
    return rootsumInside(a, b);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
