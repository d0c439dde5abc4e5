// exp, and the functions based on it.
//
// x = k * step + r, where the step is the logarithm of 2^(1/16), so that e^x = 2^(k/16) * e^r with
// a table of the 16 powers and a short polynomial. With AVX2 there are 4 powers and a longer
// polynomial.
#pragma once

#include "mathlib/tables.h"
#include "mathlib/vector.h"

namespace shapecast::mathlib::SC_MATH_ISA {

template <class V> using TablesOf = Tables<Element<V>>;

template <class V> constexpr int powersPerOctave = hasFourWords<V> ? 4 : 16;
template <class V> using PowersOf = PowerTables<Element<V>, powersPerOctave<V>>;

template <class V> struct Reduced {
    V r, rest;
    Rounded<V> k;
};

template <class V> SC_INLINE Reduced<V> reduceNatural(V x) {
    using P = PowersOf<V>;
    const Rounded<V> k = roundProduct(x, P::expInverse);
    const V high = fma(-k.value, V(P::expStepHi), x); // exact
    const V r = fma(-k.value, V(P::expStepLo), high);
    return {r, mad(-k.value, V(P::expStepLo), high - r), k};
}

// 2^(k / powersPerOctave) = value * (1 + rest), by the low bits of k; must be a normal number.
template <class V> struct TablePower {
    V value, rest;
};
template <class V> SC_INLINE TablePower<V> tablePower(Integers<V> k) {
    using P = PowersOf<V>;
    constexpr int perOctave = __builtin_ctz(powersPerOctave<V>); // bits
    const Integers<V> octaves = k << (mantissaBits<V> - perOctave);
    return {fromBits<V>(bitsOf(lookUp<V>(P::power, k)) + octaves), lookUpRough<V>(P::powerRest, k)};
}

// Any: results may overflow or be denormal, so the power of two is multiplied last.
enum class Range { Normal, Any };

// 2^(k / powersPerOctave) * f(p) / p, for p the table's power and f(p) near p.
template <Range range, class V, class F> SC_INLINE V timesPower(Rounded<V> k, F &&f) {
    if constexpr (range == Range::Normal)
        return f(tablePower<V>(k.bits));
    return scale(f(tablePower<V>(k.bits & (powersPerOctave<V> - 1))),
                 k.value * Element<V>(1.0 / powersPerOctave<V>));
}

// e^(r + k * step)
template <Range range, class V> SC_INLINE V exponential(V r, Rounded<V> k) {
    return timesPower<range>(k, [r](TablePower<V> power) {
        const V tail = polynomial(r, PowersOf<V>::expTail);
        return fma(power.value, mad(r * r, tail, r + power.rest), power.value);
    });
}

// For |x| up to the first, results and the errors of intermediate products are normal numbers;
// beyond the second, results are 0 or infinity.
template <class V> constexpr Element<V> expInside = isDouble<V> ? 650 : 60;
template <class V> constexpr Element<V> expLimit = isDouble<V> ? 750 : 110;

// e^x, e^(x + low)
template <Range range, class V, class... Low> SC_INLINE V expInsideOf(V x, Low... low) {
    using P = PowersOf<V>;
    const Rounded<V> k = roundProduct(x, P::expInverse);
    const V high = fma(-k.value, V(P::expStepHi), x);
    if constexpr (sizeof...(low) == 0)
        return exponential<range>(mad(-k.value, V(P::expStepLo), high), k);
    else
        return exponential<range>(high + mad(-k.value, V(P::expStepLo), low...), k);
}

template <class V> SC_EDGES V expAny(V x) {
    return expInsideOf<Range::Any>(clamp(x, -expLimit<V>, expLimit<V>));
}
template <class V> SC_INLINE V exp(V x) {
    if (__builtin_expect(anyLane(~(abs(x) <= V(expInside<V>))), 0))
        return expAny(x);
    return expInsideOf<Range::Normal>(x);
}

template <Range range, class V> SC_INLINE V exp2Inside(V x) {
    const Rounded<V> k = roundProduct(x, powersPerOctave<V>);
    const V r = mad(k.value, V(Element<V>(-1.0 / powersPerOctave<V>)), x); // exact
    return timesPower<range>(k, [r](TablePower<V> power) {
        const V slope = mad(r, polynomial(r, PowersOf<V>::exp2Tail), TablesOf<V>::ln2Hi);
        return fma(power.value, mad(r, slope, power.rest), power.value);
    });
}
template <class V> SC_EDGES V exp2Any(V x) {
    return exp2Inside<Range::Any>(clamp(x, isDouble<V> ? -1100 : -160, isDouble<V> ? 1100 : 160));
}
template <class V> SC_INLINE V exp2(V x) {
    if (__builtin_expect(anyLane(~(abs(x) <= V(isDouble<V> ? 900 : 80))), 0))
        return exp2Any(x);
    return exp2Inside<Range::Normal>(x);
}

template <Range range, class V> SC_INLINE V exp10Inside(V x) {
    using T = TablesOf<V>;
    using P = PowersOf<V>;
    const Rounded<V> k = roundProduct(x, P::exp10Inverse);
    const V high = fma(-k.value, V(P::exp10StepHi), x);
    const V low = mad(-k.value * P::exp10StepLo, V(T::ln10Hi), high * T::ln10Lo);
    return exponential<range>(fma(high, V(T::ln10Hi), low), k);
}
template <class V> SC_EDGES V exp10Any(V x) {
    return exp10Inside<Range::Any>(clamp(x, isDouble<V> ? -350 : -50, isDouble<V> ? 350 : 50));
}
template <class V> SC_INLINE V exp10(V x) {
    if (__builtin_expect(anyLane(~(abs(x) <= V(isDouble<V> ? 280 : 25))), 0))
        return exp10Any(x);
    return exp10Inside<Range::Normal>(x);
}

// e^x - 1, or this times a power of 2, as hi + lo; `base` is the table's power less that power.
template <class V>
SC_INLINE Pair<V> expm1Pair(const Reduced<V> &x, TablePower<V> power, Pair<V> base) {
    if constexpr (hasFourWords<V>) { // the same with fewer operations
        const V linear = fma(power.value, x.r, base.hi);
        const V error = fma(power.value, x.r, base.hi - linear) + base.lo;
        const V low = x.rest + mad(x.r, power.rest, power.rest);
        const V tail = mad(x.r * x.r, polynomial(x.r, PowersOf<V>::expm1Tail), low);
        return {linear, mad(power.value, tail, error)};
    }
    const Pair<V> linear = twoProduct(power.value, x.r);
    const Pair<V> sum = fastTwoSum(base.hi, linear.hi);
    V tail = mad(x.r * x.r, polynomial(x.r, PowersOf<V>::expm1Tail), x.rest + power.rest);
    tail = mad(x.r, power.rest, tail);
    return {sum.hi, mad(power.value, tail, sum.lo + (linear.lo + base.lo))};
}

// Below this (and some way above) expm1(x) is x.
template <class V> constexpr Element<V> minChanged = isDouble<V> ? 1e-300 : 1e-36;

template <class V> SC_EDGES V expm1Any(V x) {
    const Reduced<V> reduced =
        reduceNatural(clamp(x, isDouble<V> ? -40 : -20, isDouble<V> ? 709.8 : 88.8));
    TablePower<V> power = tablePower<V>(reduced.k.bits - powersPerOctave<V>); // half of it
    const Pair<V> half = expm1Pair(reduced, power, twoSum(power.value, V(Element<V>(-0.5))));
    const V result =
        x > V(Element<V>(isDouble<V> ? 709.79 : 88.73)) ? V(infinity<V>) : 2 * (half.hi + half.lo);
    return abs(x) < V(minChanged<V>) ? x : result;
}
template <class V> SC_INLINE V expm1(V x) {
    if (__builtin_expect(anyLane(~(abs(x) <= V(expInside<V>))), 0))
        return expm1Any(x);
    const Reduced<V> reduced = reduceNatural(x);
    const TablePower<V> power = tablePower<V>(reduced.k.bits);
    const Pair<V> pair = expm1Pair(reduced, power, twoSum(power.value, V(-1)));
    return abs(x) < V(minChanged<V>) ? x : pair.hi + pair.lo;
}

// Where the registers hold tables of all coefficients: 16 intervals, two per octave from 1/4 on,
// each with a polynomial in the distance d from its midpoint.
template <class V> SC_INLINE V tanhByIntervals(V x) {
    using T = TablesOf<V>;
    using I = Integers<V>;
    const V size = atMost(abs(x), isDouble<V> ? 22 : 10);
    constexpr int shift = mantissaBits<V> - 1;
    const I number = (bitsOf(size) >> shift) - ((bitsOf(V(Element<V>(0.25))) >> shift) - 1);
    const I index = number > 0 ? number : I(0);
    const V d = size - lookUp<V>(T::tanhMiddle, index);
    constexpr int count = sizeof T::tanhHigher / sizeof T::tanhHigher[0];
    V coefficients[count];
    for (int k = 0; k < count; ++k)
        coefficients[k] = lookUp<V>(T::tanhHigher[k], index);
    const V linear = mad(d, lookUp<V>(T::tanhSlope, index), lookUp<V>(T::tanhLo, index));
    const V rest = mad(d * d, polynomial(d, coefficients), linear);
    return withSign(lookUp<V>(T::tanhHi, index) + rest, x);
}

// (e^(2x) - 1) / (e^(2x) + 1) with a short dependence chain: with few registers, few calls overlap,
// and latency counts.
template <class V> SC_INLINE V tanhByPowers(V x) {
    using P = PowersOf<V>;
    const V size = atMost(abs(x), isDouble<V> ? 22 : 10);
    const Rounded<V> k = roundProduct(size, 2 * P::expInverse);
    const V r = fma(-k.value, V(P::expStepHi), size + size); // exact
    const TablePower<V> power = tablePower<V>(k.bits);
    const V low = mad(-k.value, V(P::expStepLo), power.rest);
    const V tail = mad(r * r, polynomial(r, P::expm1Tail), mad(r, low, low));
    const V base = power.value - 1;
    const V linear = fma(power.value, r, base), error = fma(power.value, r, base - linear);
    const Pair<V> top = fastTwoSum(linear, mad(power.value, tail, error));
    const V bottom = mad(power.value, tail, linear + 2), inverse = V(1) / bottom;
    const V more = top.hi > V(2) ? top.hi : V(2), less = top.hi > V(2) ? V(2) : top.hi;
    const V bottomLow = (less - (bottom - more)) + top.lo;
    const V result = top.hi * inverse;
    const V missing = fma(-result, bottom, top.hi) + mad(-result, bottomLow, top.lo);
    return xorSign(mad(missing, inverse, result), signOf(x));
}

// (e^(2x) - 1) / (e^(2x) + 1)
template <class V> SC_INLINE V tanh(V x) {
    if constexpr (hasAvx512)
        return tanhByIntervals(x);
    if constexpr (hasFourWords<V>)
        return tanhByPowers(x);
    const V size = atMost(abs(x), isDouble<V> ? 22 : 10);
    const Reduced<V> reduced = reduceNatural(size + size);
    const TablePower<V> power = tablePower<V>(reduced.k.bits);
    const Pair<V> sum = expm1Pair(reduced, power, fastTwoSum(power.value, V(-1)));
    const Pair<V> above = fastTwoSum(sum.hi, sum.lo), below = twoSum(above.hi, V(2));
    const Pair<V> result = shortQuotient(above, {below.hi, below.lo + above.lo});
    return withSign(result.hi + result.lo, x);
}

// e^x / 2^octaves, as value + part.
template <class V> struct SplitPower {
    V value, part;
};
template <class V> SC_INLINE SplitPower<V> splitPower(V x, int octaves) {
    using P = PowersOf<V>;
    const Rounded<V> k = roundProduct(x, P::expInverse);
    const V r = fma(-k.value, V(P::expStepLo), fma(-k.value, V(P::expStepHi), x));
    const TablePower<V> power = tablePower<V>(k.bits - octaves * powersPerOctave<V>);
    const V tail = mad(r * r, polynomial(r, P::expTail), r + power.rest);
    return {power.value, power.value * tail};
}

// e^|x| / 2 - e^-|x| / 2; for large x the first alone, computed as a quarter and doubled last.
template <class V> SC_INLINE V sinhInside(V size) {
    const SplitPower<V> power = splitPower(size, 1);
    const V large = power.value + (power.part - V(Element<V>(0.25)) / (power.value + power.part));
    const V z = size * size, small = mad(size * z, polynomial(z, TablesOf<V>::sinhTail), size);
    return size < V(1) ? small : large;
}
template <class V> SC_EDGES V sinhAny(V x) {
    const SplitPower<V> power = splitPower(atMost(abs(x), isDouble<V> ? 711 : 89.5), 2);
    const V large = 2 * (power.value + power.part);
    return withSign(abs(x) > V(expInside<V>) ? large : sinhInside(abs(x)), x);
}
template <class V> SC_INLINE V sinh(V x) {
    if (__builtin_expect(anyLane(~(abs(x) <= V(expInside<V>))), 0))
        return sinhAny(x);
    return withSign(sinhInside(abs(x)), x);
}

template <class V> SC_INLINE V coshInside(V size) {
    const SplitPower<V> power = splitPower(size, 1);
    const Pair<V> sum = // near 0 the first may be smaller: both are halves
        fastTwoSum(power.value, V(Element<V>(0.25)) / (power.value + power.part));
    return sum.hi + (sum.lo + power.part);
}
template <class V> SC_EDGES V coshAny(V size) {
    const SplitPower<V> power = splitPower(atMost(size, isDouble<V> ? 711 : 89.5), 2);
    const V large = 2 * (power.value + power.part);
    return size > V(expInside<V>) ? large : coshInside(size);
}
template <class V> SC_INLINE V cosh(V x) {
    const V size = abs(x);
    if (__builtin_expect(anyLane(~(size <= V(expInside<V>))), 0))
        return coshAny(size);
    return coshInside(size);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
