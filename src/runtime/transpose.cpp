#include "runtime/transpose.h"
#include "runtime/processor.h"
#include "runtime/symbols.h"

#include <algorithm>
#include <iterator>
#include <utility>

// All of it is inlined into functions with the target attribute.
#define SC_INLINE [[gnu::always_inline]] inline

namespace shapecast::runtime {
namespace {

template <class T, int W> struct VectorOf {
    using Type = T __attribute__((ext_vector_type(W)));
    using Unaligned [[gnu::aligned(1), gnu::may_alias]] = Type;
};

// Interleaves the lanes of a and b: of their first halves, or of their second ones.
template <int first, class V, int... k>
SC_INLINE V interleaved(V a, V b, std::integer_sequence<int, k...>) {
    constexpr int count = int(sizeof...(k));
    return __builtin_shufflevector(a, b, (first + k / 2 + k % 2 * count)...);
}

// A W x W transpose in log2(W) rounds: rows k and k + W / 2 are interleaved into rows 2 k and
// 2 k + 1.
template <class T, int W>
SC_INLINE void block(T *to, const T *from, int64_t toStride, int64_t fromStride) {
    using V = typename VectorOf<T, W>::Type;
    using Memory = typename VectorOf<T, W>::Unaligned;
    constexpr std::make_integer_sequence<int, W> all;
    V rows[W], next[W];
#pragma clang loop unroll(full)
    for (int k = 0; k < W; ++k)
        rows[k] = *reinterpret_cast<const Memory *>(from + k * fromStride);
#pragma clang loop unroll(full)
    for (int round = 1; round < W; round *= 2) {
#pragma clang loop unroll(full)
        for (int k = 0; k < W / 2; ++k) {
            next[2 * k] = interleaved<0>(rows[k], rows[k + W / 2], all);
            next[2 * k + 1] = interleaved<W / 2>(rows[k], rows[k + W / 2], all);
        }
#pragma clang loop unroll(full)
        for (int k = 0; k < W; ++k)
            rows[k] = next[k];
    }
#pragma clang loop unroll(full)
    for (int k = 0; k < W; ++k)
        *reinterpret_cast<Memory *>(to + k * toStride) = rows[k];
}

template <class T>
SC_INLINE void copyScalars(T *to, const T *from, const Transposed &s, int64_t row, int64_t rowEnd,
                           int64_t column) {
    for (int64_t i = row; i < rowEnd; ++i)
        for (int64_t j = column; j < s.columns; ++j)
            to[i * s.targetStride + j] = from[i + j * s.sourceStride];
}

template <class T, int W> SC_INLINE void copyBlocks(T *to, const T *from, const Transposed &s) {
    const int64_t rows = s.rows / W * W, columns = s.columns / W * W;
    for (int64_t i = 0; i < rows; i += W) {
        for (int64_t j = 0; j < columns; j += W)
            block<T, W>(to + i * s.targetStride + j, from + i + j * s.sourceStride, s.targetStride,
                        s.sourceStride);
        copyScalars(to, from, s, i, i + W, columns);
    }
    copyScalars(to, from, s, rows, s.rows, 0);
}

template <class T>
[[SC_TARGET("avx512f,avx512bw,avx512dq,avx512vl")]]
void copyAvx512(T *to, const T *from, const Transposed &s) {
    copyBlocks<T, std::min<int>(16, 64 / sizeof(T))>(to, from, s);
}
template <class T>
[[SC_TARGET("avx2")]]
void copyAvx2(T *to, const T *from, const Transposed &s) {
    copyBlocks<T, std::min<int>(16, sizeof(T) < 4 ? 16 / sizeof(T) : 32 / sizeof(T))>(to, from, s);
}
template <class T> void copySse(T *to, const T *from, const Transposed &s) {
    copyBlocks<T, 16 / sizeof(T)>(to, from, s);
}

template <class T> void copy(void *target, const void *source, const Transposed &s) {
    static const bool hasAvx512 = SC_PROCESSOR_HAS("avx512f") && SC_PROCESSOR_HAS("avx512bw") &&
                                  SC_PROCESSOR_HAS("avx512dq") && SC_PROCESSOR_HAS("avx512vl");
    static const bool hasAvx2 = SC_PROCESSOR_HAS("avx2");
    T *to = static_cast<T *>(target);
    const T *from = static_cast<const T *>(source);
    if (hasAvx512 && sizeof(T) >= 4)
        copyAvx512(to, from, s);
    else if (hasAvx2)
        copyAvx2(to, from, s);
    else
        copySse(to, from, s);
}

struct Wide { // 16 bytes: complex128
    int64_t parts[2];
};

} // namespace

void copyTransposed(void *target, const void *source, int64_t itemSize, const Transposed &shape) {
    switch (itemSize) {
    case 1:
        return copy<uint8_t>(target, source, shape);
    case 2:
        return copy<uint16_t>(target, source, shape);
    case 4:
        return copy<uint32_t>(target, source, shape);
    case 8:
        return copy<uint64_t>(target, source, shape);
    default: // in tiles that stay in the L1 cache
        constexpr int64_t width = 16;
        for (int64_t j = 0; j < shape.columns; j += width) {
            const auto *from = static_cast<const Wide *>(source) + j * shape.sourceStride;
            Transposed part = shape;
            part.columns = std::min(width, shape.columns - j);
            copyScalars(static_cast<Wide *>(target) + j, from, part, 0, shape.rows, 0);
        }
    }
}

extern "C" void sc_transpose(void *target, const void *source, int64_t itemSize, int64_t rows,
                             int64_t columns, int64_t sourceStride, int64_t targetStride) {
    copyTransposed(target, source, itemSize, {rows, columns, sourceStride, targetStride});
}

SymbolTable transposeSymbols() {
    static const RuntimeSymbol table[] = {symbolOf<&sc_transpose>()};
    return table;
}

} // namespace shapecast::runtime
