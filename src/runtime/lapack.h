// Shared by the kernels of lapack.cpp and lapack_values.cpp: LAPACK's routines, stacks of matrices,
// work memory.
//
// A kernel sc_lapack_<name>_<dtype> works on stacks whose leading axes are of one shape (the caller
// broadcasts), like NumPy's generalised ufuncs (numpy/linalg/umath_linalg.cpp): the same routines
// on the same copies in Fortran order, in float64 or complex128, so that results are bit-identical
// to NumPy's; only small real systems are solved here. It returns nativeRaises where a routine
// fails for one matrix: the other results are then never visible.
#pragma once

#include "runtime/native.h"
#include "runtime/openblas.h"

#include <complex>
#include <optional>

namespace shapecast::runtime {

using Complex = std::complex<double>;
template <class T> constexpr bool isReal = std::is_same_v<T, double>;

// The routine of that name, for float64 or complex128.
template <class T> void *routine(const char *real, const char *complex) {
    return openblas(isReal<T> ? real : complex);
}

// By Fortran's calling convention: all by address, the lengths of strings at the end.
template <class... Args> void fortran(void *routine, Args... args) {
    constexpr int strings = (0 + ... + std::is_same_v<Args, const char *>);
    if constexpr (strings == 2)
        reinterpret_cast<void (*)(Args..., size_t, size_t)>(routine)(args..., 1, 1);
    else if constexpr (strings == 1)
        reinterpret_cast<void (*)(Args..., size_t)>(routine)(args..., 1);
    else
        reinterpret_cast<void (*)(Args...)>(routine)(args...);
}

// The size of `work` that a workspace query returns, as a number of the routine's type.
inline int64_t workSize(double query) { return std::max<int64_t>(int64_t(query), 1); }
inline int64_t workSize(Complex query) { return workSize(query.real()); }

// Out of memory; also where a workspace query fails, as in NumPy.
inline int64_t noMemory(Context *ctx) {
    ctx->error.site = -2;
    return nativeFails;
}

// One matrix of a stack, or a vector as its only column.
template <class T> struct Matrix {
    T *data;
    int64_t rows, columns, down, across; // sizes, and strides in elements

    void load(T *to) const { load(to, rows, columns); }
    // The first `count` columns; `leading` elements from one to the next.
    void load(T *to, int64_t leading, int64_t count) const {
        const int64_t tile = down == 1 ? 1 : 8; // columns that are read together, row by row
        for (int64_t start = 0; start < count; start += tile)
            for (int64_t i = 0; i < rows; ++i)
                for (int64_t j = start; j < std::min(start + tile, count); ++j)
                    to[j * leading + i] = data[i * down + j * across];
    }
    void store(const T *from) const { store(from, rows); }
    void store(const T *from, int64_t leading) const {
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j)
                data[i * down + j * across] = from[j * leading + i];
    }
};

// An operand of a kernel: matrices (core == 2), vectors (1) or numbers (0) along its last axes.
template <class T, int core> struct Stack {
    NativeArray array;
    explicit Stack(NativeOperands &in) : array(in.array()) {}

    int64_t leading() const { return array.rank - core; }
    int64_t size(int axis) const { return array.sizes[leading() + axis]; }
    int64_t rows() const { return size(0); }
    int64_t columns() const { return size(1); }
    T &number(int64_t at) const { return reinterpret_cast<T *>(array.data)[at]; }
    Matrix<T> operator[](int64_t at) const {
        const int64_t *strides = array.strides + leading();
        T *data = reinterpret_cast<T *>(array.data) + at;
        if constexpr (core == 2)
            return {data, rows(), columns(), strides[0], strides[1]};
        else
            return {data, rows(), 1, strides[0], 0};
    }
};

// run(offsets), with the offset of the matrix in each stack, for all indices of the leading axes;
// ends where it returns false.
template <class Run, class... Stacks> bool forEach(Run run, const Stacks &...stacks) {
    constexpr int count = sizeof...(Stacks);
    const NativeArray *arrays[] = {&stacks.array...};
    const int64_t ranks[] = {stacks.leading()...};
    Space<count> space;
    for (int64_t d = 0; d < ranks[0]; ++d) {
        int64_t along[count];
        for (int k = 0; k < count; ++k)
            along[k] = arrays[k]->strides[d];
        space.add(arrays[0]->sizes[d], along);
    }
    return space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
        int64_t at[count];
        std::copy_n(starts, count, at);
        for (int64_t i = 0; i < length; ++i) {
            if (!run(at))
                return false;
            for (int k = 0; k < count && i + 1 < length; ++k)
                at[k] += steps[k];
        }
        return true;
    });
}

// Uninitialised memory that lives as long as the object; a small one (a matrix of 8 x 8) is inline,
// as in SmallVector. Converts to null when out of memory.
template <class T> class Area {
public:
    Area(Context *ctx, int64_t count) {
        if (count > inlineCount)
            data = reinterpret_cast<T *>(heap.emplace(ctx, count * int64_t(sizeof(T))).get());
        else
            data = reinterpret_cast<T *>(inlineBytes);
    }
    operator T *() const { return data; }

private:
    static constexpr int64_t inlineCount = 64;
    alignas(64) char inlineBytes[inlineCount * sizeof(T)];
    std::optional<Scratch> heap;
    T *data;
};

} // namespace shapecast::runtime
