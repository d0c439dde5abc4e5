// Matrix products on strided operands: OpenBLAS for f32, f64 and complex, plain loops for the other
// dtypes.
//
// All kernels have one signature (see GEMM below), strides counted in elements. The choice between
// dot, gemv and gemm and of their arguments is NumPy's own (numpy/_core/src/umath/matmul.c.src), so
// that results are bit-identical.
#include "runtime/narrow_product.h"
#include "runtime/openblas.h"
#include "runtime/symbols.h"

#include <climits>
#include <complex>
#include <cstdlib>
#include <type_traits>
#include <vector>

namespace shapecast::runtime {
namespace {

enum Order { RowMajor = 101, ColMajor = 102 };
enum Triangle { Upper = 121 };
enum Transpose { NoTrans = 111, Trans = 112 };

// cblas entry points with 64-bit integers; real scalars are passed by value, complex ones by
// pointer.
struct Blas {
    void *sgemm, *dgemm, *cgemm, *zgemm, *ssyrk, *dsyrk, *csyrk, *zsyrk, *sgemv, *dgemv, *cgemv,
        *zgemv, *sdot, *ddot, *cdotu, *zdotu;
    bool found = false;
};

Blas findBlas() {
    Blas blas{};
    const std::pair<const char *, void **> names[] = {
        {"cblas_sgemm", &blas.sgemm},     {"cblas_dgemm", &blas.dgemm},
        {"cblas_cgemm", &blas.cgemm},     {"cblas_zgemm", &blas.zgemm},
        {"cblas_ssyrk", &blas.ssyrk},     {"cblas_dsyrk", &blas.dsyrk},
        {"cblas_csyrk", &blas.csyrk},     {"cblas_zsyrk", &blas.zsyrk},
        {"cblas_sgemv", &blas.sgemv},     {"cblas_dgemv", &blas.dgemv},
        {"cblas_cgemv", &blas.cgemv},     {"cblas_zgemv", &blas.zgemv},
        {"cblas_sdot", &blas.sdot},       {"cblas_ddot", &blas.ddot},
        {"cblas_cdotu_sub", &blas.cdotu}, {"cblas_zdotu_sub", &blas.zdotu}};
    blas.found = true;
    for (auto [name, slot] : names)
        blas.found &= (*slot = openblas(name)) != nullptr;
    return blas;
}

const Blas &blas() {
    static const Blas found = findBlas();
    return found;
}

struct Matrix { // a strided matrix of elements
    const char *data;
    int64_t rows, columns, rowStride, columnStride;
    Matrix transposed() const { return {data, columns, rows, columnStride, rowStride}; }
};

template <class T> struct Scratch { // a row-major copy
    std::vector<T> elements;
    Matrix fill(const Matrix &m) {
        elements.resize(static_cast<size_t>(m.rows * m.columns));
        const T *source = reinterpret_cast<const T *>(m.data);
        T *to = elements.data();
        for (int64_t i = 0; i < m.rows; ++i)
            for (int64_t j = 0; j < m.columns; ++j)
                *to++ = source[i * m.rowStride + j * m.columnStride];
        return {reinterpret_cast<const char *>(elements.data()), m.rows, m.columns, m.columns, 1};
    }
};

// Can BLAS read it as a row-major matrix? (Of a single row or column the other stride is
// arbitrary.)
bool isRowMajor(const Matrix &m) {
    return m.columnStride == 1 && m.rowStride >= std::max<int64_t>(m.columns, 1);
}

int64_t leading(const Matrix &m) { return std::max<int64_t>({m.rowStride, m.columns, 1}); }

// An operand as BLAS takes it: row-major as it is, transposed, or copied.
template <class T> std::pair<Matrix, Transpose> prepared(const Matrix &m, Scratch<T> &scratch) {
    if (isRowMajor(m))
        return {m, NoTrans};
    if (isRowMajor(m.transposed()))
        return {m.transposed(), Trans};
    return {scratch.fill(m), NoTrans};
}

template <class T> constexpr bool isComplex = !std::is_floating_point_v<T>;

template <class T> auto choose(void *s, void *d, void *c, void *z) {
    if constexpr (std::is_same_v<T, float>)
        return s;
    else if constexpr (std::is_same_v<T, double>)
        return d;
    else
        return std::is_same_v<T, std::complex<float>> ? c : z;
}

template <class T> T dot(int64_t n, const T *x, int64_t xStride, const T *y, int64_t yStride) {
    const Blas &b = blas();
    void *function = choose<T>(b.sdot, b.ddot, b.cdotu, b.zdotu);
    T result{};
    if constexpr (isComplex<T>)
        reinterpret_cast<void (*)(int64_t, const void *, int64_t, const void *, int64_t, void *)>(
            function)(n, x, xStride, y, yStride, &result);
    else
        result = reinterpret_cast<T (*)(int64_t, const T *, int64_t, const T *, int64_t)>(function)(
            n, x, xStride, y, yStride);
    return result;
}

// y = m @ x
template <class T> void gemv(const Matrix &m, const T *x, int64_t xStride, T *y, int64_t yStride) {
    void *function = choose<T>(blas().sgemv, blas().dgemv, blas().cgemv, blas().zgemv);
    Scratch<T> scratch;
    auto [a, transpose] = prepared(m, scratch);
    // As NumPy: always the transposed product; a row-major matrix is a column-major transpose.
    const Order order = transpose == NoTrans ? ColMajor : RowMajor;
    const T one = 1, zero = 0;
    if constexpr (isComplex<T>)
        reinterpret_cast<void (*)(Order, Transpose, int64_t, int64_t, const void *, const void *,
                                  int64_t, const void *, int64_t, const void *, void *, int64_t)>(
            function)(order, Trans, m.columns, m.rows, &one, a.data, leading(a), x, xStride, &zero,
                      y, yStride);
    else
        reinterpret_cast<void (*)(Order, Transpose, int64_t, int64_t, T, const T *, int64_t,
                                  const T *, int64_t, T, T *, int64_t)>(function)(
            order, Trans, m.columns, m.rows, one, reinterpret_cast<const T *>(a.data), leading(a),
            x, xStride, zero, y, yStride);
}

// c = a @ a', of which BLAS computes the upper half; x is prepared(a).
template <class T>
void syrk(const Matrix &a, const Matrix &x, Transpose transpose, T *c, int64_t ldc) {
    void *function = choose<T>(blas().ssyrk, blas().dsyrk, blas().csyrk, blas().zsyrk);
    const T one = 1, zero = 0;
    if constexpr (isComplex<T>)
        reinterpret_cast<void (*)(Order, Triangle, Transpose, int64_t, int64_t, const void *,
                                  const void *, int64_t, const void *, void *, int64_t)>(function)(
            RowMajor, Upper, transpose, a.rows, a.columns, &one, x.data, leading(x), &zero, c, ldc);
    else
        reinterpret_cast<void (*)(Order, Triangle, Transpose, int64_t, int64_t, T, const T *,
                                  int64_t, T, T *, int64_t)>(function)(
            RowMajor, Upper, transpose, a.rows, a.columns, one, reinterpret_cast<const T *>(x.data),
            leading(x), zero, c, ldc);
    for (int64_t i = 0; i < a.rows; ++i)
        for (int64_t j = i + 1; j < a.rows; ++j)
            c[j * ldc + i] = c[i * ldc + j];
}

// c (row-major, leading dimension ldc) = a @ b
template <class T> void gemm(const Matrix &a, const Matrix &b, T *c, int64_t ldc) {
    void *function = choose<T>(blas().sgemm, blas().dgemm, blas().cgemm, blas().zgemm);
    Scratch<T> scratchA, scratchB;
    auto [x, transposeX] = prepared(a, scratchA);
    auto [y, transposeY] = prepared(b, scratchB);
    const bool isOwnTranspose = a.data == b.data && a.rows == b.columns &&
                                a.rowStride == b.columnStride && a.columnStride == b.rowStride;
    if (isOwnTranspose && transposeX != transposeY)
        return syrk(a, x, transposeX, c, ldc);
    const T one = 1, zero = 0;
    if constexpr (isComplex<T>)
        reinterpret_cast<void (*)(Order, Transpose, Transpose, int64_t, int64_t, int64_t,
                                  const void *, const void *, int64_t, const void *, int64_t,
                                  const void *, void *, int64_t)>(function)(
            RowMajor, transposeX, transposeY, a.rows, b.columns, a.columns, &one, x.data,
            leading(x), y.data, leading(y), &zero, c, ldc);
    else
        reinterpret_cast<void (*)(Order, Transpose, Transpose, int64_t, int64_t, int64_t, T,
                                  const T *, int64_t, const T *, int64_t, T, T *, int64_t)>(
            function)(RowMajor, transposeX, transposeY, a.rows, b.columns, a.columns, one,
                      reinterpret_cast<const T *>(x.data), leading(x),
                      reinterpret_cast<const T *>(y.data), leading(y), zero, c, ldc);
}

// A vector with a stride that BLAS accepts: NumPy copies those with negative or zero strides.
template <class T>
const T *vectorOf(const char *data, int64_t n, int64_t &stride, Scratch<T> &scratch) {
    if (stride > 0 || n <= 1) {
        stride = std::max<int64_t>(stride, 1);
        return reinterpret_cast<const T *>(data);
    }
    scratch.fill({data, n, 1, stride, 1});
    stride = 1;
    return scratch.elements.data();
}

template <class T>
void plainLoops(const Matrix &a, const Matrix &b, T *c, int64_t cRow, int64_t cColumn);

// Products so small that a BLAS call's overhead is longer (measured).
template <class T> bool isTiny(const Matrix &a, const Matrix &b) {
    constexpr int64_t limit = isComplex<T> ? 64 : 27; // 4 x 4 x 4 and 3 x 3 x 3
    return a.rows * b.columns > 1 && b.columns <= 8 && a.rows * a.columns * b.columns <= limit;
}

// By runtime/narrow_product.h, where that is faster; false where it is not.
template <class T>
bool tryNarrowProduct(Context *ctx, const Matrix &a, const Matrix &b, T *c, int64_t cRow,
                      int64_t cColumn) {
    // Each block of rows of c reads all of b: a long b is evicted from the cache in between.
    const bool isLong = a.columns > 4096 && a.rows > 8 && b.columns * sizeof(T) > 64;
    if constexpr (isComplex<T>)
        return false;
    else
        return !isLong && b.columns >= 2 && b.columns <= maxNarrowColumns && b.columnStride == 1 &&
               a.rows >= 4 && a.columns >= 4 &&
               narrowProduct(ctx, a.rows, b.columns, a.columns, reinterpret_cast<const T *>(a.data),
                             a.rowStride, a.columnStride, reinterpret_cast<const T *>(b.data),
                             b.rowStride, c, cRow, cColumn);
}

template <class T>
void product(Context *ctx, const Matrix &a, const Matrix &b, T *c, int64_t cRow, int64_t cColumn) {
    if (isTiny<T>(a, b))
        return plainLoops(a, b, c, cRow, cColumn);
    if (tryNarrowProduct(ctx, a, b, c, cRow, cColumn))
        return;
    if (!blas().found)
        return plainLoops(a, b, c, cRow, cColumn);
    Scratch<T> xScratch, yScratch;
    if (a.rows == 1 && b.columns == 1) {
        int64_t xStride = a.columnStride, yStride = b.rowStride;
        const T *x = vectorOf<T>(a.data, a.columns, xStride, xScratch);
        const T *y = vectorOf<T>(b.data, b.rows, yStride, yScratch);
        *c = dot(a.columns, x, xStride, y, yStride);
        return;
    }
    if (a.rows == 1 && cColumn > 0) {
        int64_t stride = a.columnStride;
        const T *x = vectorOf<T>(a.data, a.columns, stride, xScratch);
        return gemv(b.transposed(), x, stride, c, cColumn);
    }
    if (b.columns == 1 && cRow > 0) {
        int64_t stride = b.rowStride;
        const T *x = vectorOf<T>(b.data, b.rows, stride, xScratch);
        return gemv(a, x, stride, c, cRow);
    }
    if (cColumn == 1 && cRow >= b.columns)
        return gemm(a, b, c, cRow);
    if (cRow == 1 && cColumn >= a.rows) // (a b)' = b' a'
        return gemm(b.transposed(), a.transposed(), c, cColumn);
    std::vector<T> dense(static_cast<size_t>(a.rows * b.columns));
    gemm(a, b, dense.data(), b.columns);
    for (int64_t i = 0; i < a.rows; ++i)
        for (int64_t j = 0; j < b.columns; ++j)
            c[i * cRow + j * cColumn] = dense[static_cast<size_t>(i * b.columns + j)];
}

// Element types of the plain kernels, and their accumulators.
struct Bool {
    uint8_t byte;
};
struct Half {
    _Float16 value;
};
template <class T> struct Sum {
    T value{};
    void add(T x, T y) { value += x * y; }
    T result() const { return value; }
};
template <> struct Sum<Bool> {
    bool value = false;
    void add(Bool x, Bool y) { value |= x.byte && y.byte; }
    Bool result() const { return {value}; }
};
template <> struct Sum<Half> { // NumPy accumulates in float32
    float value = 0;
    void add(Half x, Half y) { value += static_cast<float>(x.value) * static_cast<float>(y.value); }
    Half result() const { return {static_cast<_Float16>(value)}; }
};
template <class T>
    requires std::is_integral_v<T>
struct Sum<T> { // wraps; unsigned and at least int-wide, since narrower types are promoted to
                // signed int
    uint64_t value = 0;
    void add(T x, T y) { value += static_cast<uint64_t>(x) * static_cast<uint64_t>(y); }
    T result() const { return static_cast<T>(value); }
};

// Tiled by `block` columns, whose sums stay in the L1 cache while the rows of b are read.
template <class T, int64_t block>
void blockLoops(const Matrix &a, const Matrix &b, T *c, int64_t cRow, int64_t cColumn) {
    const T *x = reinterpret_cast<const T *>(a.data), *y = reinterpret_cast<const T *>(b.data);
    for (int64_t i = 0; i < a.rows; ++i)
        for (int64_t start = 0; start < b.columns; start += block) {
            Sum<T> sums[block];
            const int64_t width = std::min(block, b.columns - start);
            for (int64_t k = 0; k < a.columns; ++k) {
                const T left = x[i * a.rowStride + k * a.columnStride];
                const T *right = y + k * b.rowStride + start * b.columnStride;
                if (b.columnStride == 1)
                    for (int64_t j = 0; j < width; ++j)
                        sums[j].add(left, right[j]);
                else
                    for (int64_t j = 0; j < width; ++j)
                        sums[j].add(left, right[j * b.columnStride]);
            }
            for (int64_t j = 0; j < width; ++j)
                c[i * cRow + (start + j) * cColumn] = sums[j].result();
        }
}

// Few columns get a small tile: all its sums are zeroed in every row.
template <class T>
void plainLoops(const Matrix &a, const Matrix &b, T *c, int64_t cRow, int64_t cColumn) {
    auto *loops = b.columns == 1    ? &blockLoops<T, 1>
                  : b.columns <= 8  ? &blockLoops<T, 8>
                  : b.columns <= 16 ? &blockLoops<T, 16>
                                    : &blockLoops<T, 64>;
    loops(a, b, c, cRow, cColumn);
}

template <class T>
int32_t multiply(Context *ctx, int64_t m, int64_t n, int64_t k, const void *a, int64_t aRow,
                 int64_t aColumn, const void *b, int64_t bRow, int64_t bColumn, void *c,
                 int64_t cRow, int64_t cColumn) {
    T *to = static_cast<T *>(c);
    if (m <= 0 || n <= 0)
        return 0;
    if (k <= 0) {
        for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j)
                to[i * cRow + j * cColumn] = T{};
        return 0;
    }
    const Matrix left{static_cast<const char *>(a), m, k, aRow, aColumn};
    const Matrix right{static_cast<const char *>(b), k, n, bRow, bColumn};
    try {
        if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::complex<float>> ||
                      std::is_same_v<T, std::complex<double>>)
            product<T>(ctx, left, right, to, cRow, cColumn);
        else
            plainLoops<T>(left, right, to, cRow, cColumn);
    } catch (const std::bad_alloc &) {
        ctx->error.site = -2;
        return 1;
    }
    return 0;
}

} // namespace

SymbolTable blasSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf("sc_gemm_bool", &multiply<Bool>),
        symbolOf("sc_gemm_b", &multiply<int8_t>),
        symbolOf("sc_gemm_h", &multiply<int16_t>),
        symbolOf("sc_gemm_i", &multiply<int32_t>),
        symbolOf("sc_gemm_l", &multiply<int64_t>),
        symbolOf("sc_gemm_B", &multiply<uint8_t>),
        symbolOf("sc_gemm_H", &multiply<uint16_t>),
        symbolOf("sc_gemm_I", &multiply<uint32_t>),
        symbolOf("sc_gemm_L", &multiply<uint64_t>),
        symbolOf("sc_gemm_e", &multiply<Half>),
        symbolOf("sc_gemm_f", &multiply<float>),
        symbolOf("sc_gemm_d", &multiply<double>),
        symbolOf("sc_gemm_F", &multiply<std::complex<float>>),
        symbolOf("sc_gemm_D", &multiply<std::complex<double>>),
    };
    return table;
}

} // namespace shapecast::runtime
