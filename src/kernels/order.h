// NumPy's order of sorted elements, NaNs last. Without branches: what lanes compare differs.
#pragma once

#include "kernels/device.h"

namespace shapecast::kernels {

using Complex64 = float __attribute__((ext_vector_type(2)));
using Complex128 = double __attribute__((ext_vector_type(2)));

template <class T> SC_INLINE bool isBefore(T a, T b) { return (a < b) | ((b != b) & (a == a)); }
SC_INLINE bool isBefore(_Float16 a, _Float16 b) { return isBefore(float(a), float(b)); }
// Behind all numbers those with a NaN: imaginary, real, both.
template <class C> SC_INLINE bool isComplexBefore(C a, C b) {
    const int nansOfA = 2 * (a.x != a.x) + (a.y != a.y), nansOfB = 2 * (b.x != b.x) + (b.y != b.y);
    const bool isBefore = (a.x < b.x) | (!(b.x < a.x) & (a.y < b.y));
    return (nansOfA < nansOfB) | ((nansOfA == nansOfB) & isBefore);
}
SC_INLINE bool isBefore(Complex64 a, Complex64 b) { return isComplexBefore(a, b); }
SC_INLINE bool isBefore(Complex128 a, Complex128 b) { return isComplexBefore(a, b); }

} // namespace shapecast::kernels
