// The parts of e^(x + iy): e^x cos y and e^x sin y, each rounded once.
//
// Both factors come as hi + lo, so that the product is nearer to the truth than one of rounded
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

// Where nothing on the way to a result is below the normal numbers.
template <class V> constexpr Element<V> expTimesMost = isDouble<V> ? 300 : 30;
template <class V> constexpr Element<V> expTimesLeast = isDouble<V> ? 1e-150 : 1e-15;

template <Range range, class V>
SC_INLINE V expTimes(const Reduced<V> &x, const Angle<V> &angle, int quarter) {
    constexpr int width = sizeof(Element<V>) * 8;
    const Integers<V> quadrant = angle.quadrant + quarter;
    const Pair<V> s = sinPair(angle.r), c = cosPair(angle.r);
    const auto odd = (quadrant & 1) != 0;
    const V main = odd ? c.hi : s.hi, rest = odd ? c.lo : s.lo;
    const Integers<V> sign = signOf(main); // apart: the sum of two zeros would lose it
    Pair<V> wave = {turned(main, sign), turned(rest, sign)};
    Rounded<V> k = x.k;
    if constexpr (range == Range::Any) { // of tiny sines the product must not lose bits
        const V up = wave.hi < V(expTimesLeast<V>) ? V(isDouble<V> ? 600 : 70) : V(0);
        const V by = powerOfTwo<V>(toIntegers(up));
        wave = {wave.hi * by, wave.lo * by};
        k.value = k.value - up * V(powersPerOctave<V>);
    }
    const V size = timesPower<range>(k, [&](TablePower<V> power) {
        const Pair<V> e = expPair(x, power), product = twoProduct(e.hi, wave.hi);
        return product.hi + mad(e.hi, wave.lo, mad(e.lo, wave.hi + wave.lo, product.lo));
    });
    return turned(size, sign ^ (quadrant >> 1) << (width - 1));
}

template <class V> [[gnu::noinline]] V expTimesAny(V x, const Angle<V> &angle, int quarter) {
    const Element<V> most = 2 * expMost<V>; // times a tiny sine it may be a number
    return expTimes<Range::Any>(reduceNatural(clamp(x, -most, most)), angle, quarter);
}

template <class V> SC_INLINE V expsin(V x, V y) {
    const auto usual = (abs(x) <= V(expTimesMost<V>)) & ~(abs(y) < V(expTimesLeast<V>));
    const Angle<V> angle = angleOf(y);
    const auto none = (y == V(0)) & (x == x);
    if (__builtin_expect(anyLane(~(usual | none)), 0))
        return none ? y : expTimesAny(x, angle, 0);
    return none ? y : expTimes<Range::Normal>(reduceNatural(x), angle, 0);
}
template <class V> SC_INLINE V expcos(V x, V y) {
    const Angle<V> angle = angleOf(y);
    if (__builtin_expect(anyLane(~(abs(x) <= V(expTimesMost<V>))), 0))
        return expTimesAny(x, angle, 1);
    return expTimes<Range::Normal>(reduceNatural(x), angle, 1);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
