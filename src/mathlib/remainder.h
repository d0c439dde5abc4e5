// fmod: exact.
//
// Where the quotient's size is below 2^53 (2^24; 2^26 where fma is emulated) its integer part is
// that of the rounded quotient or less by one, and a - q b is a multiple of b's last place that is
// no larger than b: fma gives it without rounding.
#pragma once

#include "mathlib/vector.h"

namespace shapecast::mathlib::SC_MATH_ISA {

#ifdef __NVPTX__
// Long division, bit by bit, exact; then zeros, infinities and NaN.
template <class V> [[gnu::noinline]] V fmodEdges(V x, V y) {
    const Element<V> b = abs(y)[0];
    Element<V> a = abs(x)[0], multiple = b;
    if (!(a < infinity<V>) || b == 0 || b != b)
        return V(notANumber<V>);
    if (a < b)
        return x;
    while (multiple + multiple <= a)
        multiple += multiple;
    for (; multiple >= b; multiple *= Element<V>(0.5))
        a = a >= multiple ? a - multiple : a;
    return withSign(V(a), x);
}
#else
// By the C library, lane by lane: larger quotients, zeros and infinities.
template <class V> [[gnu::noinline]] V fmodEdges(V x, V y) {
    V result;
    for (int k = 0; k < lanes<V>; ++k)
        result[k] = Element<V>(__builtin_fmod(double(x[k]), double(y[k])));
    return result;
}
#endif

template <class V> SC_INLINE V fmod(V x, V y) {
    const V a = abs(x), b = abs(y), quotient = a / b;
#if defined(__FMA__) || defined(__NVPTX__)
    const V most = V(Element<V>(isDouble<V> ? 0x1p53 : 0x1p24)), largest = V(infinity<V>);
#else // products are rounded, and may be infinite
    const V most = V(Element<V>(isDouble<V> ? 0x1p26 : 0x1p24));
    const V largest = V(Element<V>(isDouble<V> ? 0x1p1022 : 0x1p126));
#endif
    const auto regular = (quotient < most) & (a < largest) & (b < V(infinity<V>));
    if (__builtin_expect(anyLane(~regular), 0))
        return fmodEdges(x, y);
    const V whole = __builtin_elementwise_trunc(quotient), rest = fma(-whole, b, a);
    return withSign(rest < V(0) ? rest + b : rest, x);
}

} // namespace shapecast::mathlib::SC_MATH_ISA
