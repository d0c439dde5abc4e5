// pow: exp(y log x), where the logarithm has a dozen bits more than the type.
#pragma once

#include "mathlib/logarithm.h"

namespace shapecast::mathlib::SC_MATH_ISA {

// The logarithm of x * 2^octaves. The inverses have 5 bits after the point, so that r is exact.
template <class V, class... Octaves> SC_INLINE Pair<V> longLog(V x, Octaves... octaves) {
    using T = TablesOf<V>;
    using L = LogTables<Element<V>, 16>;
    LogReduced<V, 16> reduced = reduceLog<V, 16>(x);
    ((reduced.k += octaves), ...);
    const V r = fma(reduced.z, lookUp<V>(L::longInverse, reduced.index), V(-1));
    const V whole = mad(reduced.k, V(T::ln2Coarse), lookUp<V>(L::longLogHi, reduced.index));
    const V rest = mad(reduced.k, V(T::ln2Rest), lookUp<V>(L::longLogLo, reduced.index));
    // r - r^2 / 2, and its rounding error
    const V half = Element<V>(-0.5) * r, curve = fma(half, r, r),
            curveRest = fma(half, r, r - curve);
    const Pair<V> sum = fastTwoSum(whole, curve);
    const V low = sum.lo + (rest + curveRest);
    const V tail = mad(r, polynomial(r, L::longTail), T::thirdLo);
    if constexpr (isDouble<V>) { // a rounding of the cube, or a third of it, is an ULP of large
                                 // powers
        const Pair<V> square = twoProduct(r, r), cube = twoProduct(square.hi, r);
        const V cubeRest = mad(square.lo, r, cube.lo), third = V(T::thirdHi);
        const Pair<V> part = twoProduct(cube.hi, third), total = fastTwoSum(sum.hi, part.hi);
        const V more = mad(cube.hi, tail, mad(cubeRest, third, part.lo));
        return fastTwoSum(total.hi, total.lo + (more + low));
    }
    return fastTwoSum(sum.hi, mad(r * r * r, tail + T::thirdHi, low));
}

// (x * 2^octaves)^y of a normal x and a finite y.
template <class V> SC_INLINE V powScaled(V x, V octaves, V y) {
    const Pair<V> log = longLog(x, octaves);
    const Pair<V> product = twoProduct(y, log.hi);
    const auto inside = abs(product.hi) < V(expLimit<V>);
    const V hi = clamp(product.hi, -expLimit<V>, expLimit<V>);
    const V lo = inside ? mad(y, log.lo, product.lo) : V(0);
    return expInsideOf<Range::Any>(hi, lo);
}

// C's rules for zeros, infinities, NaN and negative bases.
template <class V> [[gnu::noinline]] V powEdges(V x, V y) {
    const V size = abs(x), half = y * Element<V>(0.5);
    const auto regular = (size > V(0)) & (size < V(infinity<V>)) & (abs(y) < V(infinity<V>));
    const auto whole = rint(y) == y, odd = whole & (rint(half) != half);
    const auto tiny = size < V(leastNormal<V>);
    const V base = tiny ? size * Element<V>(isDouble<V> ? 0x1p60 : 0x1p30) : size;
    const V octaves = tiny ? V(isDouble<V> ? -60 : -30) : V(0);
    V result = powScaled(regular ? base : V(1), octaves, regular ? y : V(1));
    result = ((x < V(0)) & ~whole & regular) ? V(notANumber<V>) : result;
    const auto vanishes = ((size < V(1)) & (y > V(0))) | ((size > V(1)) & (y < V(0)));
    const V extreme = vanishes ? V(0) : size == V(1) ? V(1) : V(infinity<V>);
    result = regular ? result : extreme;
    result = xorSign(result, odd & signOf(x));
    const auto invalid = (x != x) | (y != y);
    result = invalid ? x + y : result;
    return ((x == V(1)) | (y == V(0))) ? V(1) : result;
}

template <class V> SC_INLINE V pow(V x, V y) { // results of irregular lanes are not used
    const Pair<V> log = longLog(x), product = twoProduct(y, log.hi);
    const bool isRare = anyNotNormal(x) || anyLane(~(abs(product.hi) <= V(expInside<V>)));
    if (__builtin_expect(isRare, 0))
        return powEdges(x, y);
    return expInsideOf<Range::Normal>(product.hi, mad(y, log.lo, product.lo));
}

} // namespace shapecast::mathlib::SC_MATH_ISA
