// What elements are combined with: of scans, and of np.add.at and its like. The first operand is
// the earlier one.
#pragma once

#include "kernels/order.h"

namespace shapecast::kernels {

template <class T> SC_INLINE bool isNan(T a) { return a != a; }
SC_INLINE bool isNan(Complex64 a) { return a.x != a.x || a.y != a.y; }
SC_INLINE bool isNan(Complex128 a) { return a.x != a.x || a.y != a.y; }

template <class T> SC_INLINE bool isLess(T a, T b) { return a < b; }
SC_INLINE bool isLess(Complex64 a, Complex64 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
SC_INLINE bool isLess(Complex128 a, Complex128 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

template <class C> SC_INLINE C product(C a, C b) {
    return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

struct Add {
    template <class T> SC_INLINE static T of(T a, T b) { return a + b; }
};
struct Subtract {
    template <class T> SC_INLINE static T of(T a, T b) { return a - b; }
};
struct Multiply {
    template <class T> SC_INLINE static T of(T a, T b) { return a * b; }
    // Not as int, whose products would overflow.
    SC_INLINE static uint16_t of(uint16_t a, uint16_t b) { return uint16_t(uint32_t(a) * b); }
    SC_INLINE static Complex64 of(Complex64 a, Complex64 b) { return product(a, b); }
    SC_INLINE static Complex128 of(Complex128 a, Complex128 b) { return product(a, b); }
};
struct Maximum {
    template <class T> SC_INLINE static T of(T a, T b) {
        return isNan(a) || (!isNan(b) && !isLess(a, b)) ? a : b;
    }
};
struct Minimum {
    template <class T> SC_INLINE static T of(T a, T b) {
        return isNan(a) || (!isNan(b) && !isLess(b, a)) ? a : b;
    }
};
struct FMaximum {
    template <class T> SC_INLINE static T of(T a, T b) { return a >= b || isNan(b) ? a : b; }
};
struct FMinimum {
    template <class T> SC_INLINE static T of(T a, T b) { return a <= b || isNan(b) ? a : b; }
};
struct And {
    template <class T> SC_INLINE static T of(T a, T b) { return a & b; }
};
struct Or {
    template <class T> SC_INLINE static T of(T a, T b) { return a | b; }
};
struct Xor {
    template <class T> SC_INLINE static T of(T a, T b) { return a ^ b; }
};

} // namespace shapecast::kernels
