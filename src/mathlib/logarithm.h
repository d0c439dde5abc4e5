// log, and the functions based on it.
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
    // The mantissa's range is shifted to begin at its first interval, a little below 1.
    const I one = bitsOf(V(1)), shifted = bitsOf(x) + (I(below) << (bits - 8));
    const I scaled = (shifted & bitsOf(V(infinity<V>))) - one,
            index = shifted >> (bits - indexBits);
    const V k = hasFourWords<V> ? exponentOfBits<V>(shifted) : fromIntegers<V>(scaled >> bits);
    return {k, fromBits<V>(bitsOf(x) - scaled), lookUp<V>(L::inverse, index),
            fromBits<V>(one - scaled), index};
}

// Bases: log(2) as a short number and the rest, the tables of log c, 1 / ln(base).
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

// k * log 2 + log c + log(1 + r), for r = hi + lo (lo is optional), to a little more than the
// type's precision.
template <class V, class Base = Natural<V>, class... Low>
SC_INLINE Pair<V> logSum(const LogReduced<V> &x, V r, Low... low) {
    const V whole = mad(x.k, V(Base::octave), lookUp<V>(Base::hi, x.index)); // exact
    V rest = lookUpRough<V>(Base::lo, x.index);
    if constexpr (Base::octaveRest != 0)
        rest = mad(x.k, V(Base::octaveRest), rest);
    // The polynomial has the longest latency: all else is summed before.
    using L = typename LogReduced<V>::Table;
    const V square = r * r;
    V tail;
    if constexpr (logIntervals<V> == 4)
        tail = polynomial(r, L::curve);
    else
        tail = mad(r, polynomial(r, L::tail), Element<V>(-0.5));
    if constexpr (requires { Base::unit; }) {
        const Pair<V> linear = twoProduct(r, V(Base::unit));
        const Pair<V> sum = fastTwoSum(whole, linear.hi);
        rest += linear.lo;
        ((rest = mad(low, V(Base::unit), rest)), ...);
        rest = mad(r, V(Base::unitRest), rest);
        return {sum.hi, mad(square * Base::unit, tail, sum.lo + rest)};
    } else {
        const Pair<V> sum = fastTwoSum(whole, r);
        ((rest += low), ...);
        return {sum.hi, mad(square, tail, sum.lo + rest)};
    }
}

// log(x * 2^octaves)
template <class V, class Base, class... Octaves> SC_INLINE V logInside(V x, Octaves... octaves) {
    LogReduced<V> reduced = reduceLog(x);
    ((reduced.k += octaves), ...);
    const V r = fma(reduced.z, reduced.inverse, V(-1)); // exact where the result is small
    const Pair<V> sum = logSum<V, Base>(reduced, r);
    return sum.hi + sum.lo;
}

// The logarithm of 0, infinity, NaN and negative numbers.
template <class V> SC_INLINE V logOfOther(V x) {
    return x == V(0) ? V(-infinity<V>) : x < V(0) ? V(notANumber<V>) : x;
}

template <class V, class Base> SC_EDGES V logAny(V x) {
    const auto inside = (x > V(0)) & (x < V(infinity<V>)), tiny = x < V(leastNormal<V>);
    const V scaled = tiny ? x * Element<V>(isDouble<V> ? 0x1p60 : 0x1p30) : x;
    const V octaves = tiny ? V(isDouble<V> ? -60 : -30) : V(0);
    return inside ? logInside<V, Base>(inside ? scaled : V(1), octaves) : logOfOther(x);
}

template <class V, class Base> SC_INLINE V logOfBase(V x) {
    if (__builtin_expect(anyNotNormal(x), 0))
        return logAny<V, Base>(x);
    return logInside<V, Base>(x);
}

template <class V> SC_INLINE V log(V x) { return logOfBase<V, Natural<V>>(x); }
template <class V> SC_INLINE V log2(V x) { return logOfBase<V, Binary<V>>(x); }
template <class V> SC_INLINE V log10(V x) { return logOfBase<V, Decimal<V>>(x); }

template <class V> constexpr Element<V> hugeLog = isDouble<V> ? 0x1p200 : 0x1p60;

// log(1 + x) + octaves * log 2
template <class V, class... Octaves> SC_INLINE V log1pInside(V x, Octaves... octaves) {
    const Pair<V> above = fastTwoSum(V(1), x);
    LogReduced<V> reduced = reduceLog(above.hi);
    ((reduced.k += octaves), ...);
    const V near = fma(reduced.z, reduced.inverse, V(-1));
    const Pair<V> r = fastTwoSum(near, above.lo * reduced.unit * reduced.inverse);
    const Pair<V> sum = logSum<V>(reduced, r.hi, r.lo);
    return x == V(0) ? x : sum.hi + sum.lo; // -0
}
template <class V> SC_EDGES V log1pAny(V x) {
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

// log y for y >= 1, not huge, by the nearest number s with a 4-bit fraction: log s + 2 atanh t with
// t = (y - s) / (y + s), whose error is negligible where log s is not small. The callers compute t,
// and handle small results (s = 1).
template <class V> SC_INLINE V stepNextTo(V y) {
    constexpr int dropped = mantissaBits<V> - 4;
    return fromBits<V>((bitsOf(y) + (Integers<V>(1) << (dropped - 1))) >> dropped << dropped);
}
template <class V> SC_INLINE V logBesideStep(V s, V t) {
    using T = TablesOf<V>;
    const Integers<V> index = bitsOf(s) >> (mantissaBits<V> - 4);
    const V k = exponentOfNormal(s), z = t * t, twice = t + t;
    const V whole = mad(k, V(T::ln2Coarse), lookUp<V>(T::stepLogHi, index)); // exact
    const V rest = mad(k, V(T::ln2Rest), lookUp<V>(T::stepLogLo, index));
    return whole + (twice + mad(twice * z, polynomial(z, T::atanhTail), rest));
}
// Below are the small results: s of their y would be below 1.1875.
template <class V> constexpr Element<V> smallLog = 0.146;

template <class V> constexpr Element<V> hugeSquare = isDouble<V> ? 0x1p500 : 0x1p60;

// log(x + sqrt(x^2 + 1)), of x up to hugeSquare
template <class V> SC_INLINE V asinhInside(V x) {
    const V square = x * x;
    const Root<V> root = rootOf(square + 1);
    const V rest = mad(x, x, fma(-root.value, root.value, V(1))) * root.halfInverse;
    const V y = root.value + x, s = stepNextTo(y);
    const V t = (((root.value - s) + x) + rest) / (y + s);
    const V small = mad(x * square, polynomial(square, TablesOf<V>::asinhTail), x);
    return x < V(smallLog<V>) ? small : logBesideStep(s, t);
}
// Beyond: log(2 x).
template <class V> SC_EDGES V asinhAny(V x) {
    const V size = abs(x);
    const auto inside = size <= V(hugeSquare<V>), huge = (size > V(1)) & (size < V(infinity<V>));
    const V result = asinhInside(inside ? size : V(1));
    const V large = logInside<V, Natural<V>>(huge ? size * Element<V>(0.25) : V(1), V(3));
    return withSign(inside ? result : huge ? large : size, x);
}
template <class V> SC_INLINE V asinh(V x) {
    const V size = abs(x);
    if (__builtin_expect(anyLane(~(size <= V(hugeSquare<V>))), 0))
        return asinhAny(x);
    return withSign(asinhInside(size), x);
}

// log(x + sqrt(x^2 - 1)), of x up to hugeSquare; near 1, sqrt(2 (x - 1)) and a correction
template <class V> SC_INLINE V acoshInside(V x) {
    const V above = x - 1;
    const auto nextTo1 = above < V(Element<V>(0.01067));             // cosh(smallLog) - 1
    const V twice = above + above, whole = fma(above, above, twice); // x^2 - 1
    const V square = nextTo1 ? twice : whole;
    const V squareRest = nextTo1 ? V(0) : fma(above, above, twice - whole);
    const Root<V> root = rootOf(square);
    const V rest = (fma(-root.value, root.value, square) + squareRest) * root.halfInverse;
    const V y = x + root.value, s = stepNextTo(y);
    const V t = (((x - s) + root.value) + rest) / (y + s);
    const V more = mad(root.value * above, polynomial(above, TablesOf<V>::acoshTail), rest);
    const V small = root.value + more;
    return nextTo1 ? small : logBesideStep(s, t);
}
template <class V> SC_EDGES V acoshAny(V x) {
    const auto inside = (x >= V(1)) & (x <= V(hugeSquare<V>)),
               huge = (x > V(1)) & (x < V(infinity<V>));
    const V result = acoshInside(inside ? x : V(1));
    const V large = logInside<V, Natural<V>>(huge ? x * Element<V>(0.25) : V(1), V(3));
    return inside ? result : huge ? large : x < V(1) ? V(notANumber<V>) : x;
}
template <class V> SC_INLINE V acosh(V x) {
    if (__builtin_expect(anyLane(~((x >= V(1)) & (x <= V(hugeSquare<V>)))), 0))
        return acoshAny(x);
    return acoshInside(x);
}

// log((1 + x) / (1 - x)) / 2, for x from 0 to less than 1; t of small x is x itself
template <class V> SC_INLINE V atanhInside(V x) {
    const auto small = x < V(Element<V>(smallLog<V> / 2));
    const V above = x + 1, below = 1 - x;
    const V aboveRest = x - (above - 1), belowRest = (1 - below) - x;
    const V step = stepNextTo(above * roughReciprocal(below)), s = small ? V(1) : step;
    const V top = fma(-s, below, above) + mad(-s, belowRest, aboveRest);
    const V t = top / mad(s, below, above);
    return Element<V>(0.5) * logBesideStep(s, small ? x : t);
}
template <class V> SC_EDGES V atanhAny(V x) {
    const V size = abs(x);
    const auto inside = size < V(1);
    const V result = atanhInside(inside ? size : V(0));
    const V edge = size == V(1) ? V(infinity<V>) : V(notANumber<V>);
    return withSign(inside ? result : edge, x);
}
template <class V> SC_INLINE V atanh(V x) {
    const V size = abs(x);
    if (__builtin_expect(anyLane(~(size < V(1))), 0))
        return atanhAny(x);
    return withSign(atanhInside(size), x);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
