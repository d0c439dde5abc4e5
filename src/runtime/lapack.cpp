// Linear systems, determinants, Cholesky and QR of stacks of matrices (see lapack.h).
#include "runtime/lapack.h"
#include "runtime/symbols.h"

#include <cmath>

namespace shapecast::runtime {
namespace {

//===-- Systems

// Gaussian elimination with partial pivoting, fully unrolled: a call of LAPACK takes longer than
// such a small system. Pivots are the largest, as LAPACK's; a NaN pivot propagates NaNs.
template <int64_t n>
[[gnu::always_inline]] inline bool eliminate(double *a, int64_t columns, double *b) {
    double inverse[n], factors[n];
    auto dividedBy = [&](int64_t k, double x) { // a denormal pivot has no inverse
        return std::isfinite(inverse[k]) ? x * inverse[k] : x / a[k * n + k];
    };
#pragma GCC unroll 8
    for (int64_t k = 0; k < n; ++k) {
        int64_t pivot = k;
#pragma GCC unroll 8
        for (int64_t i = k + 1; i < n; ++i)
            if (!(std::fabs(a[k * n + i]) <= std::fabs(a[k * n + pivot])))
                pivot = i;
        if (a[k * n + pivot] == 0)
            return false;
#pragma GCC unroll 8
        for (int64_t i = k + 1; i < n; ++i) { // so that all indices are constants (registers)
            if (i != pivot)
                continue;
#pragma GCC unroll 8
            for (int64_t j = k; j < n; ++j)
                std::swap(a[j * n + k], a[j * n + i]);
            for (int64_t j = 0; j < columns; ++j)
                std::swap(b[j * n + k], b[j * n + i]);
        }
        inverse[k] = 1 / a[k * n + k];
#pragma GCC unroll 8
        for (int64_t i = k + 1; i < n; ++i)
            factors[i] = dividedBy(k, a[k * n + i]);
#pragma GCC unroll 8
        for (int64_t j = k + 1; j < n; ++j)
#pragma GCC unroll 8
            for (int64_t i = k + 1; i < n; ++i)
                a[j * n + i] -= factors[i] * a[j * n + k];
        for (int64_t j = 0; j < columns; ++j)
#pragma GCC unroll 8
            for (int64_t i = k + 1; i < n; ++i)
                b[j * n + i] -= factors[i] * b[j * n + k];
    }
    for (int64_t j = 0; j < columns; ++j)
#pragma GCC unroll 8
        for (int64_t k = n - 1; k >= 0; --k) {
            const double x = b[j * n + k] = dividedBy(k, b[j * n + k]);
#pragma GCC unroll 8
            for (int64_t i = 0; i < k; ++i)
                b[j * n + i] -= a[k * n + i] * x;
        }
    return true;
}

// One system of a stack, a x = b; specialised for one right-hand side, the usual case.
template <int64_t n>
bool eliminateOne(const Matrix<double> &x, const Matrix<double> &a, const Matrix<double> &b,
                  double *right) {
    double lu[n * n];
#pragma GCC unroll 8
    for (int64_t j = 0; j < n; ++j)
#pragma GCC unroll 8
        for (int64_t i = 0; i < n; ++i)
            lu[j * n + i] = a.data[i * a.down + j * a.across];
    if (b.columns != 1) {
        b.load(right);
        const bool fine = eliminate<n>(lu, b.columns, right);
        x.store(right);
        return fine;
    }
    double column[n];
#pragma GCC unroll 8
    for (int64_t i = 0; i < n; ++i)
        column[i] = b.data[i * b.down];
    const bool fine = eliminate<n>(lu, 1, column);
#pragma GCC unroll 8
    for (int64_t i = 0; i < n; ++i)
        x.data[i * x.down] = column[i];
    return fine;
}

using EliminateOne = bool (*)(const Matrix<double> &, const Matrix<double> &,
                              const Matrix<double> &, double *);
constexpr EliminateOne eliminators[] = {&eliminateOne<1>, &eliminateOne<2>, &eliminateOne<3>,
                                        &eliminateOne<4>, &eliminateOne<5>, &eliminateOne<6>,
                                        &eliminateOne<7>, &eliminateOne<8>};

// Solves lu x = b in place of b, `columns` of them.
template <class T> bool solveInPlace(int64_t n, int64_t columns, T *lu, int64_t *pivots, T *b) {
    static void *const gesv = routine<T>("dgesv_", "zgesv_");
    const int64_t leading = std::max<int64_t>(n, 1);
    int64_t failed = 0;
    fortran(gesv, &n, &columns, lu, &leading, pivots, b, &leading, &failed);
    return failed == 0;
}

template <class T> int64_t solve(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<T, 2> x(in), a(in), b(in);
    const int64_t n = a.rows(), columns = b.columns();
    const Area<T> lu(ctx, n * n), right(ctx, n * columns);
    const Area<int64_t> pivots(ctx, n);
    if (!lu || !right || !pivots)
        return noMemory(ctx);
    if constexpr (isReal<T>)
        if (n >= 1 && n <= int64_t(std::size(eliminators))) {
            auto one = [&](const int64_t *at) {
                return eliminators[n - 1](x[at[0]], a[at[1]], b[at[2]], right);
            };
            return forEach(one, x, a, b) ? 0 : nativeRaises;
        }
    auto one = [&](const int64_t *at) {
        a[at[1]].load(lu);
        b[at[2]].load(right);
        const bool fine = solveInPlace<T>(n, columns, lu, pivots, right);
        x[at[0]].store(right);
        return fine;
    };
    return forEach(one, x, a, b) ? 0 : nativeRaises;
}

// (inverse, a, whether a singular matrix's inverse is NaNs instead of an error)
template <class T> int64_t inv(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<T, 2> inverse(in), a(in);
    const bool mayFail = in.number() != 0;
    const int64_t n = a.rows();
    const Area<T> lu(ctx, n * n), right(ctx, n * n);
    const Area<int64_t> pivots(ctx, n);
    if (!lu || !right || !pivots)
        return noMemory(ctx);
    auto one = [&](const int64_t *at) {
        a[at[1]].load(lu);
        std::fill_n(static_cast<T *>(right), n * n, T(0));
        for (int64_t i = 0; i < n; ++i)
            right[i * n + i] = 1;
        const bool fine = solveInPlace<T>(n, n, lu, pivots, right);
        if (!fine)
            std::fill_n(static_cast<T *>(right), n * n, T(std::nan("")));
        inverse[at[0]].store(right);
        return fine || mayFail;
    };
    return forEach(one, inverse, a) ? 0 : nativeRaises;
}

//===-- Determinants

template <class T> struct Determinant {
    T sign;
    double logarithm; // of the absolute value
};

// As NumPy multiplies: without C99's recovery of NaNs (annex G).
double product(double a, double b) { return a * b; }
Complex product(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

double direction(double x, double) { return x < 0 ? -1 : 1; }
Complex direction(Complex x, double size) { return {x.real() / size, x.imag() / size}; }

template <class T> Determinant<T> factored(int64_t n, T *lu, int64_t *pivots) {
    static void *const getrf = routine<T>("dgetrf_", "zgetrf_");
    const int64_t leading = std::max<int64_t>(n, 1);
    int64_t failed = 0;
    fortran(getrf, &n, &n, lu, &leading, pivots, &failed);
    if (failed)
        return {T(0), -HUGE_VAL};
    int64_t swaps = 0;
    for (int64_t i = 0; i < n; ++i)
        swaps += pivots[i] != i + 1;
    Determinant<T> found{T(swaps % 2 ? -1 : 1), 0};
    for (int64_t i = 0; i < n; ++i) {
        const T x = lu[i * n + i];
        const double size = std::abs(x);
        found.sign = product(found.sign, direction(x, size));
        found.logarithm += std::log(size);
    }
    return found;
}

// take(at, determinant) for each matrix.
template <class T, class Take, class... Stacks>
int64_t determinants(Context *ctx, Take take, const Stack<T, 2> &a, const Stacks &...results) {
    const int64_t n = a.rows();
    const Area<T> lu(ctx, n * n);
    const Area<int64_t> pivots(ctx, n);
    if (!lu || !pivots)
        return noMemory(ctx);
    auto one = [&](const int64_t *at) {
        a[at[0]].load(lu);
        take(at, factored<T>(n, lu, pivots));
        return true;
    };
    forEach(one, a, results...);
    return 0;
}

template <class T> int64_t det(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<T, 0> result(in);
    const Stack<T, 2> a(in);
    auto take = [&](const int64_t *at, const Determinant<T> &found) {
        result.number(at[1]) = product(found.sign, T(std::exp(found.logarithm)));
    };
    return determinants(ctx, take, a, result);
}

template <class T> int64_t slogdet(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<T, 0> sign(in);
    const Stack<double, 0> logarithm(in);
    const Stack<T, 2> a(in);
    auto take = [&](const int64_t *at, const Determinant<T> &found) {
        sign.number(at[1]) = found.sign;
        logarithm.number(at[2]) = found.logarithm;
    };
    return determinants(ctx, take, a, sign, logarithm);
}

//===-- Cholesky

// (factor, a, whether the factor is the upper one)
template <class T> int64_t cholesky(Context *ctx, const int64_t *slots) {
    static void *const potrf = routine<T>("dpotrf_", "zpotrf_");
    NativeOperands in(slots);
    const Stack<T, 2> factor(in), a(in);
    const bool upper = in.number() != 0;
    const char *half = upper ? "U" : "L";
    const int64_t n = a.rows(), leading = std::max<int64_t>(n, 1);
    const Area<T> work(ctx, n * n);
    if (!work)
        return noMemory(ctx);
    auto one = [&](const int64_t *at) {
        a[at[1]].load(work);
        int64_t failed = 0;
        fortran(potrf, half, &n, static_cast<T *>(work), &leading, &failed);
        for (int64_t j = 0; j < n; ++j) // the other half is zero
            upper ? std::fill(work + j * n + j + 1, work + (j + 1) * n, T(0))
                  : std::fill(work + j * n, work + j * n + j, T(0));
        factor[at[0]].store(work);
        return failed == 0;
    };
    return forEach(one, factor, a) ? 0 : nativeRaises;
}

//===-- QR

// (R above and the reflectors below the diagonal, the reflectors' factors, a)
template <class T> int64_t qr(Context *ctx, const int64_t *slots) {
    static void *const geqrf = routine<T>("dgeqrf_", "zgeqrf_");
    NativeOperands in(slots);
    const Stack<T, 2> result(in);
    const Stack<T, 1> factors(in);
    const Stack<T, 2> a(in);
    const int64_t m = a.rows(), n = a.columns(), leading = std::max<int64_t>(m, 1);
    const Area<T> matrix(ctx, m * n), tau(ctx, factors.rows());
    int64_t failed = 0, size = -1;
    T workQuery{};
    auto factor = [&](T *work) {
        fortran(geqrf, &m, &n, static_cast<T *>(matrix), &leading, static_cast<T *>(tau), work,
                &size, &failed);
        return failed == 0;
    };
    if (!matrix || !tau || !factor(&workQuery))
        return noMemory(ctx);
    size = std::max({workSize(workQuery), n, int64_t{1}});
    const Area<T> work(ctx, size);
    if (!work)
        return noMemory(ctx);
    auto one = [&](const int64_t *at) {
        a[at[2]].load(matrix);
        const bool fine = factor(work);
        result[at[0]].store(matrix);
        factors[at[1]].store(tau);
        return fine;
    };
    return forEach(one, result, factors, a) ? 0 : nativeRaises;
}

// Q, of as many columns as the result has, from the reflectors of qr().
template <class T> int64_t q(Context *ctx, const int64_t *slots) {
    static void *const gqr = routine<T>("dorgqr_", "zungqr_");
    NativeOperands in(slots);
    const Stack<T, 2> result(in), a(in);
    const Stack<T, 1> factors(in);
    const int64_t m = a.rows(), columns = result.columns(), reflectors = factors.rows();
    const int64_t leading = std::max<int64_t>(m, 1);
    const Area<T> matrix(ctx, m * columns), tau(ctx, reflectors);
    int64_t failed = 0, size = -1;
    T workQuery{};
    auto multiply = [&](T *work) {
        fortran(gqr, &m, &columns, &reflectors, static_cast<T *>(matrix), &leading,
                static_cast<T *>(tau), work, &size, &failed);
        return failed == 0;
    };
    if (!matrix || !tau || !multiply(&workQuery))
        return noMemory(ctx);
    size = std::max({workSize(workQuery), a.columns(), int64_t{1}});
    const Area<T> work(ctx, size);
    if (!work)
        return noMemory(ctx);
    auto one = [&](const int64_t *at) {
        a[at[1]].load(matrix, m, std::min(columns, a.columns()));
        factors[at[2]].load(tau);
        const bool fine = multiply(work);
        result[at[0]].store(matrix);
        return fine;
    };
    return forEach(one, result, a, factors) ? 0 : nativeRaises;
}

} // namespace

SymbolTable lapackSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf("sc_lapack_solve_d", &solve<double>),
        symbolOf("sc_lapack_solve_D", &solve<Complex>),
        symbolOf("sc_lapack_inv_d", &inv<double>),
        symbolOf("sc_lapack_inv_D", &inv<Complex>),
        symbolOf("sc_lapack_det_d", &det<double>),
        symbolOf("sc_lapack_det_D", &det<Complex>),
        symbolOf("sc_lapack_slogdet_d", &slogdet<double>),
        symbolOf("sc_lapack_slogdet_D", &slogdet<Complex>),
        symbolOf("sc_lapack_cholesky_d", &cholesky<double>),
        symbolOf("sc_lapack_cholesky_D", &cholesky<Complex>),
        symbolOf("sc_lapack_qr_d", &qr<double>),
        symbolOf("sc_lapack_qr_D", &qr<Complex>),
        symbolOf("sc_lapack_q_d", &q<double>),
        symbolOf("sc_lapack_q_D", &q<Complex>),
    };
    return table;
}

} // namespace shapecast::runtime
