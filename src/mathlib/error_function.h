// erf and erfc.
//
// Up to a half erf is x + x * p(x^2). Above, erfc is e^(-x^2) * f / (1 + 2 x), where f is near 1.25
// and a polynomial of q = (x - 3.5) / (x + 3.5).
#pragma once

#include "mathlib/exponential.h"

namespace shapecast::mathlib::SC_MATH_ISA {

// f / (1 + 2 x)
template <class V> SC_INLINE Pair<V> scaledErfc(V x) {
    using T = TablesOf<V>;
    const Element<V> centre = Element<V>(3.5);
    const Pair<V> q = shortQuotient<V>(fastTwoSum(V(-centre), x), fastTwoSum(V(centre), x));
    const V at = q.hi + q.lo;
    const Pair<V> f = fastTwoSum(V(T::erfcHi), at * polynomial(at, T::erfcTail));
    return quotient<V>({f.hi, f.lo + T::erfcLo}, fastTwoSum(V(1), x + x));
}

// erfc(x) as hi + lo for 0.5 <= x <= 28; lo is 0 where results may be denormal.
template <Range range, class V> SC_INLINE Pair<V> erfcAbove(V x) {
    using P = PowersOf<V>;
    const Pair<V> square = twoProduct(x, x), factor = scaledErfc(x);
    const Rounded<V> k = roundProduct(-square.hi, P::expInverse);
    const V high = fma(-k.value, V(P::expStepHi), -square.hi);
    const V r = high + mad(-k.value, V(P::expStepLo), -square.lo);
    const V tail = r * r * polynomial(r, P::expm1Tail);
    V low;
    const V main = timesPower<range>(k, [&](TablePower<V> power) {
        const Pair<V> linear = twoProduct(power.value, r), e = fastTwoSum(power.value, linear.hi);
        const V rest = e.lo + mad(power.value, tail + power.rest, linear.lo);
        const Pair<V> product = twoProduct(e.hi, factor.hi);
        const V small = mad(e.hi, factor.lo, mad(rest, factor.hi, product.lo));
        const Pair<V> sum = fastTwoSum(product.hi, small);
        low = sum.lo;
        return sum.hi;
    });
    return {main, range == Range::Normal ? low : V(0)};
}

// erf(x) - x up to a half
template <class V> SC_INLINE V erfTail(V x) {
    const V z = x * x;
    return x * polynomial(z, TablesOf<V>::erfTail);
}

constexpr double erfLimit = 0.5;

template <class V> SC_INLINE V erf(V x) {
    const Element<V> saturation = isDouble<V> ? 6 : 4; // from here on 1
    const V size = abs(x), large = clamp(size, Element<V>(erfLimit), saturation);
    const Pair<V> above = erfcAbove<Range::Normal>(large);
    const Pair<V> sum = fastTwoSum(V(1), -above.hi);
    const V result =
        size < V(Element<V>(erfLimit)) ? size + erfTail(size) : sum.hi + (sum.lo - above.lo);
    return withSign(result, x);
}

// Where e^(-x^2), and the errors of its products, are normal numbers.
template <class V> constexpr Element<V> erfcInside = isDouble<V> ? 25 : 7;

// `above` is erfc(|x|) from a half on.
template <class V> SC_INLINE V erfcBelow(V x, Pair<V> above) {
    const Pair<V> negative = fastTwoSum(V(2), -above.hi), near = fastTwoSum(V(1), -x);
    const V small = near.hi + (near.lo - erfTail(x));
    return abs(x) < V(Element<V>(erfLimit)) ? small
           : x < V(0)                       ? negative.hi + (negative.lo - above.lo)
                                            : above.hi;
}
template <class V> [[gnu::noinline]] V erfcAny(V x) {
    const V size = clamp(abs(x), Element<V>(erfLimit), 28);
    const V below = erfcBelow(x, erfcAbove<Range::Normal>(atMost(size, erfcInside<V>)));
    return x > V(erfcInside<V>) ? erfcAbove<Range::Any>(size).hi : below;
}
template <class V> SC_INLINE V erfc(V x) {
    if (__builtin_expect(anyLane(~(abs(x) <= V(erfcInside<V>))), 0))
        return erfcAny(x);
    return erfcBelow(x, erfcAbove<Range::Normal>(clamp(abs(x), Element<V>(erfLimit), 28)));
}

} // namespace shapecast::mathlib::SC_MATH_ISA
