// Vectors of complex numbers, their loads and stores.
//
// Fused multiply-adds are explicit, so that all processors compute the same bits. All of it is
// inlined into functions with the target attribute.
#pragma once

#include <utility>

#pragma clang fp contract(off)

#define SC_INLINE [[gnu::always_inline]] inline

namespace shapecast::runtime::fft {

template <int W> struct VectorOf {
    using Type = double __attribute__((ext_vector_type(W)));
    using Unaligned [[gnu::aligned(8), gnu::may_alias]] = Type;
};
template <int W> using Vector = typename VectorOf<W>::Type;

template <int W> SC_INLINE Vector<W> load(const double *from) {
    return *reinterpret_cast<const typename VectorOf<W>::Unaligned *>(from);
}
template <int W> SC_INLINE void store(double *to, Vector<W> v) {
    *reinterpret_cast<typename VectorOf<W>::Unaligned *>(to) = v;
}

template <int W> SC_INLINE Vector<W> fused(Vector<W> a, Vector<W> b, Vector<W> c) {
    return __builtin_elementwise_fma(a, b, c);
}

template <int W> struct Pair { // complex numbers
    Vector<W> re, im;
};

template <int W> SC_INLINE Pair<W> operator+(Pair<W> a, Pair<W> b) {
    return {a.re + b.re, a.im + b.im};
}
template <int W> SC_INLINE Pair<W> operator-(Pair<W> a, Pair<W> b) {
    return {a.re - b.re, a.im - b.im};
}
template <int W> SC_INLINE Pair<W> operator*(Pair<W> a, Pair<W> b) {
    return {fused<W>(a.re, b.re, -(a.im * b.im)), fused<W>(a.re, b.im, a.im * b.re)};
}
template <int W> SC_INLINE Pair<W> timesMinusI(Pair<W> a) { return {a.im, -a.re}; }

//===-- Between pairs of numbers in memory and vectors of parts

// r0 i0 r1 i1 ... -> r0 r2 r1 r3 and so on, in the lane order of the processor's unpack
// instructions; and back.
template <int W, int... k>
SC_INLINE Pair<W> deinterleaved(Vector<W> a, Vector<W> b, std::integer_sequence<int, k...>) {
    return {__builtin_shufflevector(a, b, (k % 2 ? W + k - 1 : k)...),
            __builtin_shufflevector(a, b, (k % 2 ? W + k : k + 1)...)};
}
template <int W, bool swapped> SC_INLINE Pair<W> loadPairs(const double *from) {
    const Pair<W> p =
        deinterleaved<W>(load<W>(from), load<W>(from + W), std::make_integer_sequence<int, W>());
    return swapped ? Pair<W>{p.im, p.re} : p;
}
template <int W, bool swapped> SC_INLINE void storePairs(double *to, Pair<W> p) {
    if (swapped)
        p = {p.im, p.re};
    p = deinterleaved<W>(p.re, p.im, std::make_integer_sequence<int, W>());
    store<W>(to, p.re);
    store<W>(to + W, p.im);
}

template <int B, int W> SC_INLINE Pair<W> loadRow(const double *row) {
    return {load<W>(row), load<W>(row + B)};
}
template <int B, int W> SC_INLINE void storeRow(double *row, Pair<W> p) {
    store<W>(row, p.re);
    store<W>(row + B, p.im);
}

//===-- Transposition

// Exchanges lanes whose number has the bit `distance` with vectors whose number has it.
template <int W, int distance, int... k>
SC_INLINE void exchange(Vector<W> &a, Vector<W> &b, std::integer_sequence<int, k...>) {
    const Vector<W> low = __builtin_shufflevector(a, b, (k & distance ? W + k - distance : k)...);
    b = __builtin_shufflevector(a, b, (k & distance ? W + k : k + distance)...);
    a = low;
}
template <int W, int distance = 1> SC_INLINE void transpose(Vector<W> (&v)[W]) {
    for (int k = 0; k < W; ++k)
        if (!(k & distance))
            exchange<W, distance>(v[k], v[k + distance], std::make_integer_sequence<int, W>());
    if constexpr (2 * distance < W)
        transpose<W, 2 * distance>(v);
}

} // namespace shapecast::runtime::fft
