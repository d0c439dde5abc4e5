// cbrt, hypot, and the larger part of a complex root.
#pragma once

#include "mathlib/exponential.h"

namespace shapecast::mathlib::SC_MATH_ISA {

// x = 2^(3 k + j) * z; the inverse root of z from a polynomial and a step of third order, then
// z * inverse^2 with its error taken off.
template <class V> struct CubeRoot {
    V root;
    Rounded<V> octaves; // that it is to be scaled by
};
template <class V> SC_INLINE CubeRoot<V> cubeRoot(V z, V exponent) {
    using T = TablesOf<V>;
    // The nearest to (exponent - 1) / 3 leaves 0, 1 or 2 octaves.
    const Rounded<V> third =
        roundSmall(mad(exponent, V(Element<V>(1.0 / 3)), Element<V>(-1.0 / 3)));
    const Integers<V> octaves = roundSmall(mad(third.value, V(-3), exponent)).bits;
    V inverse = polynomial(z, T::cubeRootGuess);
    const V error = fma(-z * inverse, inverse * inverse, V(1));
    inverse =
        mad(inverse * error, mad(error, V(Element<V>(2.0 / 9)), Element<V>(1.0 / 3)), inverse);
    V scaled;
    if constexpr (hasFourWords<V>) {
        scaled = fromBits<V>(bitsOf(z) + (octaves << mantissaBits<V>));
        inverse *= lookUp<V>(T::cubeRootFactors, octaves);
    } else {
        scaled = z * lookUp<V>(T::cubeFactor, octaves);
        inverse *= lookUp<V>(T::cubeRootFactor, octaves);
    }
    const V square = inverse * inverse, root = scaled * square, power = root * root;
    const Pair<V> cube = twoProduct(power, root);
    const V rest = (scaled - cube.hi) - cube.lo;
    return {mad(rest * square, V(Element<V>(1.0 / 3)), root), third};
}

template <class V> SC_INLINE V cbrtAny(V x) {
    const V size = abs(x);
    const V exponent = exponentOf(size);
    const V z = scale(size, -exponent);
    const CubeRoot<V> cube = cubeRoot(z, exponent);
    const V scaledBack = scale(cube.root, cube.octaves.value);
    return withSign(((size > V(0)) & (size < V(infinity<V>))) ? scaledBack : size, x);
}
template <class V> [[gnu::noinline]] V cbrtEdges(V x) { return cbrtAny(x); }

template <class V> SC_INLINE V cbrt(V x) {
    if constexpr (!hasFourWords<V>)
        return cbrtAny(x);
    const V size = abs(x);
    if (__builtin_expect(anyLane(notNormal(size)), 0))
        return cbrtEdges(x);
    const Integers<V> mantissa = bitsOf(size) & ((Integers<V>(1) << mantissaBits<V>)-1);
    const V z = fromBits<V>(mantissa | bitsOf(V(1)));
    const CubeRoot<V> cube = cubeRoot(z, exponentOfBits<V>(bitsOf(size)));
    return turned(fromBits<V>(bitsOf(cube.root) + (cube.octaves.bits << mantissaBits<V>)),
                  signOf(x));
}

template <class V> SC_INLINE V hypotInside(V large, V small) {
    const Pair<V> a = twoProduct(large, large), b = twoProduct(small, small);
    const Pair<V> sum = fastTwoSum(a.hi, b.hi);
    const Pair<V> root = rootOf<V>({sum.hi, sum.lo + (a.lo + b.lo)});
    return root.hi + root.lo;
}

template <class V> [[gnu::noinline]] V hypotEdges(V large, V small) {
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

// sqrt((|x| + |x + iy|) / 2), with more bits than the type has on the way.
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

template <class V> [[gnu::noinline]] V rootsumEdges(V a, V b) {
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
