// log and what is made of it.
//
// x = 2^k * z, and z is near one of 16 numbers c whose inverses are in a table: with r = z/c - 1,
// log x = k * log 2 + log c + log(1 + r). The first interval is centred at 1, where c is 1.
#pragma once

#include "mathlib/exponential.h"

namespace shapecast::mathlib::SC_MATH_ISA {

template <class V> struct LogReduced {
    V k, z, inverse, scaledExponent;
    Integers<V> index;
};

template <class V> SC_INLINE LogReduced<V> reduceLog(V x) {
    // The exponent of 33/32 x begins with the first interval.
    V shifted = x * Element<V>(1.03125);
    if constexpr (!(hasAvx512 && isFullVector<V>)) {
        const Integers<V> tiny = x < V(std::numeric_limits<Element<V>>::min());
        const Element<V> up = isDouble<V> ? 0x1p54 : 0x1p25;
        x = tiny ? x * up : x;
        shifted = tiny ? shifted * up : shifted;
        const Integers<V> exponent =
            (bitsOf(shifted) >> mantissaBits<V>)-(isDouble<V> ? 1023 : 127);
        const V z = fromBits<V>(bitsOf(x) - (exponent << mantissaBits<V>));
        const Integers<V> index = bitsOf(shifted) >> (mantissaBits<V> - 4);
        const V k = fromIntegers<V>(exponent - (tiny & (isDouble<V> ? 54 : 25)));
        return {k, z, lookUp<V>(TablesOf<V>::logInverse, index), -k, index};
    } else {
        const V k = exponentOf(shifted);
        const Integers<V> index = bitsOf(shifted) >> (mantissaBits<V> - 4);
        return {k, scale(x, -k), lookUp<V>(TablesOf<V>::logInverse, index), -k, index};
    }
}

// The base: log(2) in it as a coarse number and the rest, the table of log c, 1 / ln(base).
template <class V> struct Natural {
    using T = TablesOf<V>;
    static constexpr auto &hi = T::logHi, &lo = T::logLo;
    static constexpr Element<V> octave = T::ln2Coarse, octaveRest = T::ln2Rest;
};
template <class V> struct Binary {
    using T = TablesOf<V>;
    static constexpr auto &hi = T::log2Hi, &lo = T::log2Lo;
    static constexpr Element<V> octave = 1, octaveRest = 0;
    static constexpr Element<V> unit = T::log2eHi, unitRest = T::log2eLo;
};
template <class V> struct Decimal {
    using T = TablesOf<V>;
    static constexpr auto &hi = T::log10Hi, &lo = T::log10Lo;
    static constexpr Element<V> octave = T::log10of2Coarse, octaveRest = T::log10of2Rest;
    static constexpr Element<V> unit = T::log10eHi, unitRest = T::log10eLo;
};

// log(1 + r) for r = hi + lo and the rest of the sum, to a little more than the type's precision.
template <class V, class Base = Natural<V>>
SC_INLINE Pair<V> logSum(const LogReduced<V> &x, Pair<V> r) {
    const V whole = mad(x.k, V(Base::octave), lookUp<V>(Base::hi, x.index)); // exact
    V rest = mad(x.k, V(Base::octaveRest), lookUp<V>(Base::lo, x.index));
    const V tail = r.hi * r.hi *
                   mad(r.hi, polynomial(r.hi, TablesOf<V>::logTail), Element<V>(-0.5));
    if constexpr (requires { Base::unit; }) {
        const Pair<V> linear = twoProduct(r.hi, V(Base::unit));
        const Pair<V> sum = fastTwoSum(whole, linear.hi);
        rest = mad(r.hi, V(Base::unitRest), mad(tail + r.lo, V(Base::unit), rest + linear.lo));
        return {sum.hi, sum.lo + rest};
    } else {
        const Pair<V> sum = fastTwoSum(whole, r.hi);
        return {sum.hi, sum.lo + (tail + (rest + r.lo))};
    }
}

// The result for x from 0 to infinity, and what becomes of the others.
template <class V> SC_INLINE V withLogEdges(V result, V x) {
    result = x < V(infinity<V>) ? result : x; // infinity and NaN
    return x > V(0) ? result : x == V(0) ? V(-infinity<V>) : x < V(0) ? V(notANumber<V>) : result;
}

template <class V, class Base> SC_INLINE V logOfBase(V x) {
    const LogReduced<V> reduced = reduceLog(x);
    const V r = fma(reduced.z, reduced.inverse, V(-1));
    const Pair<V> sum = logSum<V, Base>(reduced, {r, V(0)});
    return withLogEdges<V>(sum.hi + sum.lo, x);
}

template <class V> SC_INLINE V log(V x) { return logOfBase<V, Natural<V>>(x); }
template <class V> SC_INLINE V log2(V x) { return logOfBase<V, Binary<V>>(x); }
template <class V> SC_INLINE V log10(V x) { return logOfBase<V, Decimal<V>>(x); }

// log((hi + lo) * 2^octaves); hi is positive and finite, lo less than its last place.
template <class V> SC_INLINE V logOfPair(Pair<V> x, V octaves) {
    LogReduced<V> reduced = reduceLog(x.hi);
    const V small = x.lo * scale(V(1), reduced.scaledExponent) * reduced.inverse;
    const Pair<V> product = twoProduct(reduced.z, reduced.inverse);
    const V near = product.hi - 1; // exact, as is the sum of the pair
    const Pair<V> r = fastTwoSum(near, product.lo + small);
    reduced.k += octaves;
    const Pair<V> sum = logSum<V>(reduced, r);
    return sum.hi + sum.lo;
}

template <class V> SC_INLINE V log1p(V x) {
    const Pair<V> above = twoSum(V(1), x);
    LogReduced<V> reduced = reduceLog(above.hi);
    const V small = above.lo * scale(V(1), reduced.scaledExponent);
    // In the first interval z - 1 is exact and so is its sum with the small part: x itself.
    const V r = fma(reduced.z, reduced.inverse, V(-1)) + small * reduced.inverse;
    const Pair<V> sum = logSum<V>(reduced, {r, V(0)});
    const V result = withLogEdges<V>(sum.hi + sum.lo, above.hi);
    return abs(x) < Element<V>(isDouble<V> ? 0x1p-54 : 0x1p-25) ? x : result;
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
    argument = {large ? size : argument.hi, large ? V(0) : argument.lo};
    V result = logOfPair(argument, large ? V(1) : V(0));
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
    const Pair<V> safe = {exact.hi > V(0) ? exact.hi : V(1), exact.lo};
    Pair<V> root = rootOf(safe);
    root = {exact.hi > V(0) ? root.hi : V(0), exact.hi > V(0) ? root.lo : V(0)};
    const Pair<V> sum = fastTwoSum(inside, root.hi);
    Pair<V> argument = fastTwoSum(sum.hi, sum.lo + root.lo);
    argument = {large ? x : argument.hi, large ? V(0) : argument.lo};
    V result = logOfPair(argument, large ? V(1) : V(0));
    result = x < V(infinity<V>) ? result : x;
    return x < V(1) ? V(notANumber<V>) : result;
}

// log((1 + x) / (1 - x)) / 2
template <class V> SC_INLINE V atanh(V x) {
    const V size = abs(x);
    const auto inner = size < V(1);
    const V inside = inner ? size : V(0.5);
    const Pair<V> ratio = quotient(fastTwoSum(V(1), inside), fastTwoSum(V(1), -inside));
    const V half = Element<V>(0.5) * logOfPair(fastTwoSum(ratio.hi, ratio.lo), V(0));
    V result = size < V(Element<V>(isDouble<V> ? 0x1p-28 : 0x1p-13)) ? size : half;
    result = inner ? result : size == V(1) ? V(infinity<V>) : V(notANumber<V>);
    return withSign(result, x);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
