// log and what is made of it.
//
// x = 2^k * z, and z is near one of 16 numbers c whose inverses are in a table: with r = z/c - 1,
// log x = k * log 2 + log c + log(1 + r). The first interval is centred at 1, where c is 1. With
// AVX2 there are 4 such numbers, of so few bits that r is exact, and the polynomial is longer.
#pragma once

#include "mathlib/exponential.h"

namespace shapecast::mathlib::SC_MATH_ISA {

template <class V> constexpr int logIntervals = hasFourWords<V> ? 4 : 16;

template <class V, int intervals = logIntervals<V>> struct LogReduced {
    using Table = LogTables<Element<V>, intervals>;
    V k, z, inverse;
    V unit; // 2^-k, where that is a normal number
    Integers<V> index;
};

// x is a normal number.
template <class V, int intervals = logIntervals<V>>
SC_INLINE LogReduced<V, intervals> reduceLog(V x) {
    using I = Integers<V>;
    using L = LogTables<Element<V>, intervals>;
    constexpr int bits = mantissaBits<V>, below = int(L::below);
    constexpr int indexBits = __builtin_ctz(intervals);
    // As if the mantissa began where its first interval begins, a little below 1.
    const I one = bitsOf(V(1)), shifted = bitsOf(x) + (I(below) << (bits - 8));
    const I scaled = (shifted & bitsOf(V(infinity<V>))) - one,
            index = shifted >> (bits - indexBits);
    const V k = hasFourWords<V> ? exponentOfBits<V>(shifted) : fromIntegers<V>(scaled >> bits);
    return {k, fromBits<V>(bitsOf(x) - scaled), lookUp<V>(L::inverse, index),
            fromBits<V>(one - scaled), index};
}
template <class V> constexpr Element<V> leastLog = std::numeric_limits<Element<V>>::min();

// The base: log(2) in it as a coarse number and the rest, the table of log c, 1 / ln(base).
template <class V> struct Natural {
    using T = TablesOf<V>;
    using L = LogTables<Element<V>, logIntervals<V>>;
    static constexpr auto &hi = L::logHi, &lo = L::logLo;
    static constexpr Element<V> octave = T::ln2Coarse, octaveRest = T::ln2Rest;
};
template <class V> struct Binary {
    using T = TablesOf<V>;
    using L = LogTables<Element<V>, logIntervals<V>>;
    static constexpr auto &hi = L::log2Hi, &lo = L::log2Lo;
    static constexpr Element<V> octave = 1, octaveRest = 0;
    static constexpr Element<V> unit = T::log2eHi, unitRest = T::log2eLo;
};
template <class V> struct Decimal {
    using T = TablesOf<V>;
    using L = LogTables<Element<V>, logIntervals<V>>;
    static constexpr auto &hi = L::log10Hi, &lo = L::log10Lo;
    static constexpr Element<V> octave = T::log10of2Coarse, octaveRest = T::log10of2Rest;
    static constexpr Element<V> unit = T::log10eHi, unitRest = T::log10eLo;
};

// log(1 + r) for r = hi + lo and the rest of the sum, to a little more than the type's precision.
template <class V, class Base = Natural<V>>
SC_INLINE Pair<V> logSum(const LogReduced<V> &x, Pair<V> r) {
    const V whole = mad(x.k, V(Base::octave), lookUp<V>(Base::hi, x.index)); // exact
    V rest = mad(x.k, V(Base::octaveRest), lookUpRoughly<V>(Base::lo, x.index));
    // The polynomial is ready last: all else is summed before.
    using L = typename LogReduced<V>::Table;
    const V square = r.hi * r.hi;
    V tail;
    if constexpr (logIntervals<V> == 4)
        tail = polynomial(r.hi, L::curve);
    else
        tail = mad(r.hi, polynomial(r.hi, L::tail), Element<V>(-0.5));
    if constexpr (requires { Base::unit; }) {
        const Pair<V> linear = twoProduct(r.hi, V(Base::unit));
        const Pair<V> sum = fastTwoSum(whole, linear.hi);
        rest = mad(r.hi, V(Base::unitRest), mad(r.lo, V(Base::unit), rest + linear.lo));
        return {sum.hi, mad(square * Base::unit, tail, sum.lo + rest)};
    } else {
        const Pair<V> sum = fastTwoSum(whole, r.hi);
        return {sum.hi, mad(square, tail, sum.lo + (rest + r.lo))};
    }
}

// log(x * 2^octaves)
template <class V, class Base, class... Octaves> SC_INLINE V logInside(V x, Octaves... octaves) {
    LogReduced<V> reduced = reduceLog(x);
    ((reduced.k += octaves), ...);
    const V r = fma(reduced.z, reduced.inverse, V(-1)); // exact where the result is small
    const Pair<V> sum = logSum<V, Base>(reduced, {r, V(0)});
    return sum.hi + sum.lo;
}

// What the logarithm of 0, infinity, NaN and negative numbers is.
template <class V> SC_INLINE V logOfOther(V x) {
    return x == V(0) ? V(-infinity<V>) : x < V(0) ? V(notANumber<V>) : x;
}

template <class V, class Base> [[gnu::noinline]] V logAny(V x) {
    const auto inside = (x > V(0)) & (x < V(infinity<V>)), tiny = x < V(leastLog<V>);
    const V scaled = tiny ? x * Element<V>(isDouble<V> ? 0x1p60 : 0x1p30) : x;
    const V octaves = tiny ? V(isDouble<V> ? -60 : -30) : V(0);
    return inside ? logInside<V, Base>(inside ? scaled : V(1), octaves) : logOfOther(x);
}

template <class V, class Base> SC_INLINE V logOfBase(V x) {
    if (__builtin_expect(anyLane(notNormal(x)), 0))
        return logAny<V, Base>(x);
    return logInside<V, Base>(x);
}

template <class V> SC_INLINE V log(V x) { return logOfBase<V, Natural<V>>(x); }
template <class V> SC_INLINE V log2(V x) { return logOfBase<V, Binary<V>>(x); }
template <class V> SC_INLINE V log10(V x) { return logOfBase<V, Decimal<V>>(x); }

template <class V> constexpr Element<V> hugeLog = isDouble<V> ? 0x1p200 : 0x1p60;

// log((hi + lo) * 2^octaves) for hi >= 1 and far from overflow, lo less than its last place.
template <class V, class... Octaves> SC_INLINE V logOfPair(Pair<V> x, Octaves... octaves) {
    LogReduced<V> reduced = reduceLog(x.hi);
    ((reduced.k += octaves), ...);
    const V small = x.lo * reduced.unit * reduced.inverse;
    if constexpr (logIntervals<V> == 4) { // exact
        const V near = fma(reduced.z, reduced.inverse, V(-1));
        const Pair<V> sum = logSum<V>(reduced, fastTwoSum(near, small));
        return sum.hi + sum.lo;
    }
    const Pair<V> product = twoProduct(reduced.z, reduced.inverse);
    // product.hi - 1 is exact, as is the sum of the pair.
    const Pair<V> r = fastTwoSum(product.hi - 1, product.lo + small);
    const Pair<V> sum = logSum<V>(reduced, r);
    return sum.hi + sum.lo;
}

// log(1 + x) + octaves * log 2
template <class V, class... Octaves> SC_INLINE V log1pInside(V x, Octaves... octaves) {
    const Pair<V> above = fastTwoSum(V(1), x);
    LogReduced<V> reduced = reduceLog(above.hi);
    ((reduced.k += octaves), ...);
    const V near = fma(reduced.z, reduced.inverse, V(-1));
    const Pair<V> r = fastTwoSum(near, above.lo * reduced.unit * reduced.inverse);
    const Pair<V> sum = logSum<V>(reduced, r);
    return x == V(0) ? x : sum.hi + sum.lo; // -0
}
template <class V> [[gnu::noinline]] V log1pAny(V x) {
    const auto inside = (x > V(-1)) & (x < V(infinity<V>));
    const auto huge = x > V(hugeLog<V>);
    const V scaled = huge ? x * Element<V>(isDouble<V> ? 0x1p-100 : 0x1p-30) : x;
    const V octaves = huge ? V(isDouble<V> ? 100 : 30) : V(0);
    return inside ? log1pInside(inside ? scaled : V(1), octaves) : logOfOther(x + 1);
}
template <class V> SC_INLINE V log1p(V x) {
    if (__builtin_expect(anyLane(~((x > V(-1)) & (x < V(hugeLog<V>)))), 0))
        return log1pAny(x);
    return log1pInside(x);
}

// log(x + sqrt(x^2 + 1)); of large x log(2 x)
template <class V> SC_INLINE V asinh(V x) {
    const V size = abs(x);
    const auto large = size > V(Element<V>(isDouble<V> ? 0x1p30 : 0x1p14));
    const V inside = large ? V(1) : size;
    const Pair<V> square = twoProduct(inside, inside);
    const Pair<V> above = twoSum(square.hi, V(1));
    const Pair<V> root = rootOf<V>({above.hi, above.lo + square.lo});
    const Pair<V> sum = fastTwoSum(root.hi, inside);
    Pair<V> argument = fastTwoSum(sum.hi, sum.lo + root.lo);
    argument = {large ? size * Element<V>(0.25) : argument.hi, large ? V(0) : argument.lo};
    V result = logOfPair(argument, large ? V(3) : V(0));
    result = size < V(Element<V>(isDouble<V> ? 0x1p-28 : 0x1p-13)) ? size : result;
    result = size < V(infinity<V>) ? result : size;
    return withSign(result, x);
}

template <class V> SC_INLINE V acosh(V x) {
    const auto large = x > V(Element<V>(isDouble<V> ? 0x1p30 : 0x1p14));
    const V inside = large ? V(2) : x;
    const Pair<V> square = twoProduct(inside, inside);
    const Pair<V> below = fastTwoSum(square.hi, V(-1));
    const Pair<V> exact = fastTwoSum(below.hi, below.lo + square.lo);
    const Pair<V> root = rootOf(exact);
    const Pair<V> sum = fastTwoSum(inside, root.hi);
    Pair<V> argument = fastTwoSum(sum.hi, sum.lo + root.lo);
    argument = {large ? x * Element<V>(0.25) : argument.hi, large ? V(0) : argument.lo};
    V result = logOfPair(argument, large ? V(3) : V(0));
    result = x < V(infinity<V>) ? result : x;
    return x < V(1) ? V(notANumber<V>) : result;
}

// log((1 + x) / (1 - x)) / 2
template <class V> SC_INLINE V atanh(V x) {
    const V size = abs(x);
    const auto inner = size < V(1);
    const V inside = inner ? size : V(0.5);
    const Pair<V> ratio = quotient(fastTwoSum(V(1), inside), fastTwoSum(V(1), -inside));
    const V half = Element<V>(0.5) * logOfPair(fastTwoSum(ratio.hi, ratio.lo));
    V result = size < V(Element<V>(isDouble<V> ? 0x1p-28 : 0x1p-13)) ? size : half;
    result = inner ? result : size == V(1) ? V(infinity<V>) : V(notANumber<V>);
    return withSign(result, x);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
