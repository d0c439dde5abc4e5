// sin, cos and tan.
//
// x = n * pi/2 + r with r as hi + lo: pi/2 in parts of which the first times n is subtracted
// exactly. For huge arguments the product with 2/pi is computed with as many bits as it needs.
#pragma once

#include "mathlib/exponential.h"

namespace shapecast::mathlib::SC_MATH_ISA {

template <class V> struct Angle {
    Pair<V> r;
    Integers<V> quadrant; // its low two bits
};

template <class V> constexpr Element<V> maxReduced = isDouble<V> ? 0x1p45 : 0x1p17;

template <class V> SC_INLINE Angle<V> reduceAngle(V x) {
    using T = TablesOf<V>;
    const Rounded<V> n = roundProduct(x, T::twoOverPi);
    const V first = fma(-n.value, V(T::halfPi0), x); // exact
    const Pair<V> second = twoProduct(n.value, V(T::halfPi1));
    const V r = first - second.hi;
    const V error = (first - r) - second.hi;
    const V low = mad(-n.value, V(T::halfPi2), error - second.lo);
    return {{r, low}, n.bits};
}

// As a sum of two numbers.
SC_INLINE Pair<Vec<double, 2>> doublesOf(__int128 x) {
    using V = Vec<double, 2>;
#ifdef __NVPTX__ // which has no conversions of 128 bits
    const auto upper = int64_t(x >> 64);
    const auto lower = uint64_t(x);
    const double rounded = double(upper);
    const Pair<V> sum = twoSum(V(rounded * 0x1p64), V(double(lower >> 32) * 0x1p32));
    const double rest = double(upper - int64_t(rounded)) * 0x1p64 + double(lower & 0xffffffff);
    return {sum.hi, sum.lo + V(rest)};
#else
    const double hi = double(x);
    return {V(hi), V(double(x - static_cast<__int128>(hi)))};
#endif
}

// Payne and Hanek's reduction: 128 bits of the fraction of |x| * 2/pi, and the quadrant, for |x|
// from 2^45.
inline Angle<Vec<double, 2>> reduceHuge(double x) {
    const uint64_t bits = __builtin_bit_cast(uint64_t, x) & ~(uint64_t(1) << 63);
    const uint64_t mantissa = (bits & ((uint64_t(1) << 52) - 1)) | (uint64_t(1) << 52);
    // x = mantissa * 2^exponent: bits of 2/pi that give multiples of 4 are left out.
    const int exponent = int(bits >> 52) - 1023 - 52, skipped = exponent - 2 + 64;
    auto word = [&](int k) -> uint64_t { // 64 bits, from the bit `skipped` + 64 k on
        const int at = skipped / 64 + k - 1, by = skipped % 64;
        const uint64_t high = at < 0 ? 0 : twoOverPiBits[at], low = twoOverPiBits[at + 1];
        return by ? high << by | low >> (64 - by) : high;
    };
    const unsigned __int128 low = (unsigned __int128)mantissa * word(2) >> 64;
    const unsigned __int128 middle = (unsigned __int128)mantissa * word(1) + low;
    const uint64_t high = mantissa * word(0) + uint64_t(middle >> 64);
    const uint64_t next = uint64_t(middle);
    // Two bits of quadrant, then the fraction; rounded to the nearest quadrant.
    const unsigned __int128 fraction = ((unsigned __int128)high << 64 | next) << 2;
    // Signed: negative from a half on. Shifted right by a bit, so that hi cannot overflow.
    const auto rest = static_cast<__int128>(fraction) >> 1;
    const int64_t quadrant = int64_t(high >> 62) + (rest < 0);
    using T = Tables<double>;
    using V = Vec<double, 2>;
    const Pair<V> parts = doublesOf(rest);
    const V hi = parts.hi * 0x1p-127, lo = parts.lo * 0x1p-127;
    const Pair<V> product = twoProduct(hi, V(T::halfPi0));
    const V small = product.lo + (lo * T::halfPi0 + hi * T::halfPi1);
    const Pair<V> r = fastTwoSum(product.hi, small);
    return x < 0 ? Angle<V>{{-r.hi, -r.lo}, -Integers<V>(quadrant)}
                 : Angle<V>{r, Integers<V>(quadrant)};
}

// The reduced angles of all lanes, where some are huge, infinite or NaN.
template <class V> [[gnu::noinline]] Angle<V> reduceAny(V x) {
    Angle<V> angle = reduceAngle(x);
    for (int k = 0; k < lanes<V>; ++k) {
        if (__builtin_fabs(x[k]) <= maxReduced<V>)
            continue;
        if (!(__builtin_fabs(x[k]) < infinity<V>)) {
            angle.r.hi[k] = x[k] - x[k];
            angle.r.lo[k] = 0;
            continue;
        }
        Angle<Vec<double, 2>> wide;
        if (__builtin_fabs(double(x[k])) > maxReduced<Vec<double, 2>>)
            wide = reduceHuge(x[k]);
        else
            wide = reduceAngle(Vec<double, 2>(double(x[k])));
        angle.r.hi[k] = Element<V>(wide.r.hi[0]);
        angle.r.lo[k] = Element<V>((wide.r.hi[0] - angle.r.hi[k]) + wide.r.lo[0]);
        angle.quadrant[k] = wide.quadrant[0];
    }
    return angle;
}

template <class V> SC_INLINE bool anyHuge(V x) { // or infinite, or NaN
    return __builtin_expect(anyLane(~(abs(x) <= V(maxReduced<V>))), 0);
}
template <class V> SC_INLINE Angle<V> angleOf(V x) {
    return anyHuge(x) ? reduceAny(x) : reduceAngle(x);
}

// sin r and cos r, each as the main part and the rest.
template <class V> SC_INLINE Pair<V> sinPair(Pair<V> r) {
    const V z = r.hi * r.hi;
    const V low = mad(Element<V>(-0.5) * z, r.lo, r.lo);
    return {r.hi, mad(z * r.hi, polynomial(z, TablesOf<V>::sinTail), low)};
}
template <class V> SC_INLINE Pair<V> cosPair(Pair<V> r) {
    const V half = Element<V>(0.5) * r.hi, z = r.hi * r.hi;
    const V main = mad(-half, r.hi, V(1));
    const V error = mad(-half, r.hi, V(1) - main);
    return {main, mad(z * z, polynomial(z, TablesOf<V>::cosTail), mad(-r.hi, r.lo, error))};
}

// The sine of the angle plus `quarter` quadrants.
template <class V> SC_INLINE V sine(const Angle<V> &angle, int quarter) {
    using I = Integers<V>;
    constexpr int width = sizeof(Element<V>) * 8;
    const I quadrant = angle.quadrant + quarter;
    const Pair<V> s = sinPair(angle.r), c = cosPair(angle.r);
    const auto odd = (quadrant & 1) != 0;
    const V value = odd ? c.hi + c.lo : s.hi + s.lo;
    return xorSign(value, (quadrant >> 1) << (width - 1));
}

template <class V> SC_EDGES V sinAny(V x) { return x == V(0) ? x : sine(reduceAny(x), 0); }
template <class V> SC_INLINE V sin(V x) {
    if (anyHuge(x))
        return sinAny(x);
    return x == V(0) ? x : sine(reduceAngle(x), 0);
}
template <class V> SC_EDGES V cosAny(V x) { return sine(reduceAny(x), 1); }
template <class V> SC_INLINE V cos(V x) {
    if (anyHuge(x))
        return cosAny(x);
    return sine(reduceAngle(x), 1);
}

// r / (r cot r), in odd quadrants the negative reciprocal. r cot r = 1 - z/3 - z^2/45 - ...,
// for z = r^2, is a short polynomial whose error is small beside 1.
template <class V> SC_INLINE V tangent(const Angle<V> &angle) {
    using T = TablesOf<V>;
    const V r = angle.r.hi, z = r * r;
    const V tail = mad(z, polynomial(z, T::cotTail), T::thirdLo);
    const V d = mad(-z, tail + T::thirdHi, V(1)), more = fma(-z, V(T::thirdHi), 1 - d);
    const V dRest = fma(-z, tail, mad(r * Element<V>(-0.7), angle.r.lo, more));
    const auto odd = (angle.quadrant & 1) != 0;
    const Pair<V> top = {odd ? d : r, odd ? dRest : angle.r.lo};
    const Pair<V> bottom = {odd ? r : d, odd ? angle.r.lo : dRest};
    const V inverse = isDouble<V> ? halfReciprocal(bottom.hi) : roughReciprocal(bottom.hi);
    const V q = top.hi * inverse;
    const V missing = fma(-q, bottom.hi, top.hi) + mad(-q, bottom.lo, top.lo);
    constexpr int width = sizeof(Element<V>) * 8;
    return xorSign(fma(missing, inverse, q), angle.quadrant << (width - 1));
}
template <class V> SC_EDGES V tanAny(V x) { return x == V(0) ? x : tangent(reduceAny(x)); }
template <class V> SC_INLINE V tan(V x) {
    if (anyHuge(x))
        return tanAny(x);
    return x == V(0) ? x : tangent(reduceAngle(x));
}

} // namespace shapecast::mathlib::SC_MATH_ISA
