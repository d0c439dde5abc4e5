// The parts of e^(x + iy): e^x cos y and e^x sin y, each rounded once.
//
// Both factors are double-double, hi + lo, so that the product is more exact than one of rounded
// factors.
#pragma once

#include "mathlib/trigonometric.h"

namespace shapecast::mathlib::SC_MATH_ISA {

// e^(x.r + x.rest) times the table's power, as hi + lo.
template <class V> SC_INLINE Pair<V> expPair(const Reduced<V> &x, TablePower<V> power) {
    const Pair<V> linear = twoProduct(power.value, x.r);
    const Pair<V> sum = fastTwoSum(power.value, linear.hi);
    const V tail = mad(x.r * x.r, polynomial(x.r, PowersOf<V>::expTail), x.rest + power.rest);
    return {sum.hi, mad(power.value, tail, sum.lo + linear.lo)};
}

// Range of |x| and |y| where no intermediate result is denormal.
template <class V> constexpr Element<V> maxExpTimes = isDouble<V> ? 300 : 30;
template <class V> constexpr Element<V> minExpTimes = isDouble<V> ? 1e-150 : 1e-15;

template <Range range, class V>
SC_INLINE V expTimes(const Reduced<V> &x, const Angle<V> &angle, int quarter) {
    constexpr int width = sizeof(Element<V>) * 8;
    const Integers<V> quadrant = angle.quadrant + quarter;
    const Pair<V> s = sinPair(angle.r), c = cosPair(angle.r);
    const auto odd = (quadrant & 1) != 0;
    const V main = odd ? c.hi : s.hi, rest = odd ? c.lo : s.lo;
    const Integers<V> sign = signOf(main); // separately: the sum of two zeros would lose it
    Pair<V> wave = {xorSign(main, sign), xorSign(rest, sign)};
    Rounded<V> k = x.k;
    if constexpr (range == Range::Any) { // products with tiny sines must not lose bits
        const V up = wave.hi < V(minExpTimes<V>) ? V(isDouble<V> ? 600 : 70) : V(0);
        const V by = powerOfTwo<V>(toIntegers(up));
        wave = {wave.hi * by, wave.lo * by};
        k.value = k.value - up * V(powersPerOctave<V>);
    }
    const V size = timesPower<range>(k, [&](TablePower<V> power) {
        const Pair<V> e = expPair(x, power), product = twoProduct(e.hi, wave.hi);
        return product.hi + mad(e.hi, wave.lo, mad(e.lo, wave.hi + wave.lo, product.lo));
    });
    return xorSign(size, sign ^ (quadrant >> 1) << (width - 1));
}

template <class V> [[gnu::noinline]] V expTimesAny(V x, const Angle<V> &angle, int quarter) {
    const Element<V> limit = 2 * expLimit<V>; // times a tiny sine it may be finite
    return expTimes<Range::Any>(reduceNatural(clamp(x, -limit, limit)), angle, quarter);
}

template <class V> SC_INLINE V expsin(V x, V y) {
    const auto regular = (abs(x) <= V(maxExpTimes<V>)) & ~(abs(y) < V(minExpTimes<V>));
    const Angle<V> angle = angleOf(y);
    const auto isZero = (y == V(0)) & (x == x);
    if (__builtin_expect(anyLane(~(regular | isZero)), 0))
        return isZero ? y : expTimesAny(x, angle, 0);
    return isZero ? y : expTimes<Range::Normal>(reduceNatural(x), angle, 0);
}
template <class V> SC_INLINE V expcos(V x, V y) {
    const Angle<V> angle = angleOf(y);
    if (__builtin_expect(anyLane(~(abs(x) <= V(maxExpTimes<V>))), 0))
        return expTimesAny(x, angle, 1);
    return expTimes<Range::Normal>(reduceNatural(x), angle, 1);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
