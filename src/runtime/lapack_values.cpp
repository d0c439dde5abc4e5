// Singular values, eigenvalues and least squares of stacks of matrices (see lapack.h).
#include "runtime/lapack.h"
#include "runtime/symbols.h"

namespace shapecast::runtime {
namespace {

//===-- Singular values

// LAPACK's gesdd on one matrix after the other; `vectors`: "N", "S" (as many as there are values)
// or "A" (all).
template <class T> class Svd {
public:
    Svd(Context *ctx, const Stack<T, 2> &a, const char *vectors, int64_t uColumns, int64_t vRows)
        : ctx(ctx), vectors(vectors), m(a.rows()), n(a.columns()), count(std::min(m, n)),
          leading(std::max<int64_t>(m, 1)), vLeading(std::max<int64_t>(vRows, 1)),
          matrix(ctx, m * n), u(ctx, m * uColumns), vh(ctx, vRows * n), values(ctx, count),
          reals(ctx, isReal<T>         ? 0
                     : *vectors == 'N' ? 7 * count
                                       : 10 * count * (count + 1)),
          integers(ctx, 8 * count) {}

    // False: out of memory.
    bool prepare() {
        T workQuery{};
        if (!matrix || !u || !vh || !values || !reals || !integers || !run(&workQuery))
            return false;
        size = workSize(workQuery);
        return bool(work.emplace(ctx, size));
    }
    bool operator()(const Matrix<T> &a) {
        a.load(matrix);
        return run(*work);
    }

private:
    bool run(T *memory) {
        static void *const gesdd = routine<T>("dgesdd_", "zgesdd_");
        int64_t failed = 0;
        auto call = [&](auto... more) {
            fortran(gesdd, vectors, &m, &n, static_cast<T *>(matrix), &leading,
                    static_cast<double *>(values), static_cast<T *>(u), &leading,
                    static_cast<T *>(vh), &vLeading, memory, &size, more...,
                    static_cast<int64_t *>(integers), &failed);
        };
        if constexpr (isReal<T>)
            call();
        else
            call(static_cast<double *>(reals));
        return failed == 0;
    }

    Context *ctx;
    const char *vectors;
    int64_t m, n, count, leading, vLeading, size = -1;
    Area<T> matrix;

public:
    Area<T> u, vh; // of the last matrix, in Fortran order
    Area<double> values;

private:
    Area<double> reals;
    Area<int64_t> integers;
    std::optional<Area<T>> work;
};

template <class T> int64_t svdvals(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<double, 1> values(in);
    const Stack<T, 2> a(in);
    Svd<T> svd(ctx, a, "N", 0, 0);
    if (!svd.prepare())
        return noMemory(ctx);
    auto one = [&](const int64_t *at) {
        const bool fine = svd(a[at[1]]);
        values[at[0]].store(svd.values);
        return fine;
    };
    return forEach(one, values, a) ? 0 : nativeRaises;
}

template <class T> void fillIdentity(T *matrix, int64_t n) {
    std::fill_n(matrix, n * n, T(0));
    for (int64_t i = 0; i < n; ++i)
        matrix[i * n + i] = 1;
}

// (u, values, vh, a, whether u and vh are square)
template <class T> int64_t svd(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<T, 2> u(in);
    const Stack<double, 1> values(in);
    const Stack<T, 2> vh(in), a(in);
    const bool all = in.number() != 0;
    Svd<T> svd(ctx, a, all ? "A" : "S", u.columns(), vh.rows());
    if (!svd.prepare())
        return noMemory(ctx);
    auto one = [&](const int64_t *at) {
        const bool fine = svd(a[at[3]]);
        if (all && values.rows() == 0) { // LAPACK does not write them
            fillIdentity<T>(svd.u, u.rows());
            fillIdentity<T>(svd.vh, vh.rows());
        }
        u[at[0]].store(svd.u);
        values[at[1]].store(svd.values);
        vh[at[2]].store(svd.vh);
        return fine;
    };
    return forEach(one, u, values, vh, a) ? 0 : nativeRaises;
}

//===-- Eigenvalues of Hermitian matrices

// LAPACK's syevd and heevd; the eigenvectors overwrite the matrix.
template <class T> class Eigh {
public:
    Eigh(Context *ctx, const Stack<T, 2> &a, bool vectors, bool upper)
        : ctx(ctx), vectors(vectors ? "V" : "N"), half(upper ? "U" : "L"), n(a.rows()),
          leading(std::max<int64_t>(n, 1)), matrix(ctx, n * n), values(ctx, n) {}

    bool prepare() {
        T workQuery{};
        double realQuery = 0;
        int64_t integerQuery = 0;
        if (!matrix || !values || !run(&workQuery, &realQuery, &integerQuery))
            return false;
        size = workSize(workQuery);
        realSize = workSize(realQuery);
        integerSize = std::max<int64_t>(integerQuery, 1);
        return work.emplace(ctx, size) && reals.emplace(ctx, realSize) &&
               integers.emplace(ctx, integerSize);
    }
    bool operator()(const Matrix<T> &a) {
        a.load(matrix);
        return run(*work, *reals, *integers);
    }

private:
    bool run(T *memory, double *realMemory, int64_t *integerMemory) {
        static void *const evd = routine<T>("dsyevd_", "zheevd_");
        int64_t failed = 0;
        auto call = [&](auto... more) {
            fortran(evd, vectors, half, &n, static_cast<T *>(matrix), &leading,
                    static_cast<double *>(values), memory, &size, more..., integerMemory,
                    &integerSize, &failed);
        };
        if constexpr (isReal<T>)
            call();
        else
            call(realMemory, &realSize);
        return failed == 0;
    }

    Context *ctx;
    const char *vectors, *half;
    int64_t n, leading, size = -1, realSize = -1, integerSize = -1;

public:
    Area<T> matrix; // afterwards the eigenvectors
    Area<double> values;

private:
    std::optional<Area<T>> work;
    std::optional<Area<double>> reals;
    std::optional<Area<int64_t>> integers;
};

// (values, a, whether the upper half is used)
template <class T> int64_t eigvalsh(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<double, 1> values(in);
    const Stack<T, 2> a(in);
    Eigh<T> eigh(ctx, a, false, in.number() != 0);
    if (!eigh.prepare())
        return noMemory(ctx);
    auto one = [&](const int64_t *at) {
        const bool fine = eigh(a[at[1]]);
        values[at[0]].store(eigh.values);
        return fine;
    };
    return forEach(one, values, a) ? 0 : nativeRaises;
}

// (values, vectors, a, whether the upper half is used)
template <class T> int64_t eigh(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<double, 1> values(in);
    const Stack<T, 2> vectors(in), a(in);
    Eigh<T> eigh(ctx, a, true, in.number() != 0);
    if (!eigh.prepare())
        return noMemory(ctx);
    auto one = [&](const int64_t *at) {
        const bool fine = eigh(a[at[2]]);
        values[at[0]].store(eigh.values);
        vectors[at[1]].store(eigh.matrix);
        return fine;
    };
    return forEach(one, values, vectors, a) ? 0 : nativeRaises;
}

//===-- Eigenvalues of matrices that need not be symmetric

// LAPACK's geev: the eigenvalues, and optionally the right eigenvectors, as complex numbers.
template <class T> struct Geev;
template <> struct Geev<Complex> {
    Geev(Context *ctx, int64_t n, bool wantsVectors)
        : ctx(ctx), n(n), wantsVectors(wantsVectors), matrix(ctx, n * n), values(ctx, n),
          vectors(ctx, wantsVectors ? n * n : 1), reals(ctx, 2 * n) {}

    int64_t run(Complex *memory, int64_t size) {
        static void *const geev = openblas("zgeev_");
        const int64_t leading = std::max<int64_t>(n, 1);
        Complex none{};
        int64_t failed = 0;
        fortran(geev, "N", wantsVectors ? "V" : "N", &n, static_cast<Complex *>(matrix), &leading,
                static_cast<Complex *>(values), &none, &leading, static_cast<Complex *>(vectors),
                &leading, memory, &size, static_cast<double *>(reals), &failed);
        return failed;
    }
    bool hasMemory() const { return matrix && values && vectors && reals; }
    void combine() {}

    Context *ctx;
    const int64_t n;
    const bool wantsVectors;
    const Area<Complex> matrix, values, vectors;
    const Area<double> reals;
};

// Of a real matrix LAPACK gives real and imaginary parts; the vectors of a conjugate pair are in
// two columns, the real part first.
template <> struct Geev<double> {
    Geev(Context *ctx, int64_t n, bool wantsVectors)
        : ctx(ctx), n(n), wantsVectors(wantsVectors), matrix(ctx, n * n), real(ctx, n),
          imaginary(ctx, n), right(ctx, wantsVectors ? n * n : 1), values(ctx, n),
          vectors(ctx, wantsVectors ? n * n : 1) {}

    int64_t run(double *memory, int64_t size) {
        static void *const geev = openblas("dgeev_");
        const int64_t leading = std::max<int64_t>(n, 1);
        double none = 0;
        int64_t failed = 0;
        fortran(geev, "N", wantsVectors ? "V" : "N", &n, static_cast<double *>(matrix), &leading,
                static_cast<double *>(real), static_cast<double *>(imaginary), &none, &leading,
                static_cast<double *>(right), &leading, memory, &size, &failed);
        return failed;
    }
    bool hasMemory() const { return matrix && real && imaginary && right && values && vectors; }
    void combine() {
        for (int64_t j = 0; j < n; ++j)
            values[j] = {real[j], imaginary[j]};
        for (int64_t j = 0; wantsVectors && j < n; ++j) {
            const bool pair = imaginary[j] != 0 && j + 1 < n;
            for (int64_t i = 0; i < n; ++i) {
                const double re = right[j * n + i], im = pair ? right[(j + 1) * n + i] : 0;
                vectors[j * n + i] = {re, im};
                if (pair)
                    vectors[(j + 1) * n + i] = {re, -im};
            }
            j += pair;
        }
    }

    Context *ctx;
    const int64_t n;
    const bool wantsVectors;
    const Area<double> matrix, real, imaginary, right;
    const Area<Complex> values, vectors;
};

// Calls use(run); run() applies geev to geev.matrix, and returns whether it succeeded.
template <class T, class Use> int64_t withGeev(Geev<T> &geev, Use use) {
    T workQuery{};
    if (!geev.hasMemory() || geev.run(&workQuery, -1) != 0)
        return noMemory(geev.ctx);
    const int64_t size = workSize(workQuery);
    const Area<T> work(geev.ctx, size);
    if (!work)
        return noMemory(geev.ctx);
    auto run = [&] {
        const bool fine = geev.run(work, size) == 0;
        geev.combine();
        return fine;
    };
    return use(run) ? 0 : nativeRaises;
}

template <class T> int64_t eigvals(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<Complex, 1> values(in);
    const Stack<T, 2> a(in);
    Geev<T> geev(ctx, a.rows(), false);
    return withGeev(geev, [&](auto run) {
        auto one = [&](const int64_t *at) {
            a[at[1]].load(geev.matrix);
            const bool fine = run();
            values[at[0]].store(geev.values);
            return fine;
        };
        return forEach(one, values, a);
    });
}

template <class T> int64_t eig(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const Stack<Complex, 1> values(in);
    const Stack<Complex, 2> vectors(in);
    const Stack<T, 2> a(in);
    Geev<T> geev(ctx, a.rows(), true);
    return withGeev(geev, [&](auto run) {
        auto one = [&](const int64_t *at) {
            a[at[2]].load(geev.matrix);
            const bool fine = run();
            values[at[0]].store(geev.values);
            vectors[at[1]].store(geev.vectors);
            return fine;
        };
        return forEach(one, values, vectors, a);
    });
}

//===-- Least squares

double squared(double x) { return x * x; }
double squared(Complex x) { return x.real() * x.real() + x.imag() * x.imag(); }

// (x, residuals, singular values, a, b, rcond: singular values up to this part of the largest are
// zero). Of one matrix; returns its rank.
template <class T> int64_t lstsq(Context *ctx, const int64_t *slots) {
    static void *const gelsd = routine<T>("dgelsd_", "zgelsd_");
    NativeOperands in(slots);
    const Stack<T, 2> x(in);
    const Stack<double, 1> residuals(in), values(in);
    const Stack<T, 2> a(in), b(in);
    double rcond = Stack<double, 0>(in).number(0);
    const int64_t m = a.rows(), n = a.columns(), sides = b.columns();
    const int64_t leading = std::max<int64_t>(m, 1), rightLeading = std::max({m, n, int64_t{1}});
    const Area<T> matrix(ctx, m * n), right(ctx, rightLeading * sides);
    const Area<double> found(ctx, std::min(m, n));
    int64_t rank = 0, size = -1;
    auto run = [&](T *work, double *reals, int64_t *integers) {
        int64_t failed = 0;
        auto call = [&](auto... more) {
            fortran(gelsd, &m, &n, &sides, static_cast<T *>(matrix), &leading,
                    static_cast<T *>(right), &rightLeading, static_cast<double *>(found), &rcond,
                    &rank, work, &size, more..., integers, &failed);
        };
        if constexpr (isReal<T>)
            call();
        else
            call(reals);
        return failed == 0;
    };
    T workQuery{};
    double realQuery = 0;
    int64_t integerQuery = 0;
    if (!matrix || !right || !found || !run(&workQuery, &realQuery, &integerQuery))
        return noMemory(ctx);
    size = workSize(workQuery);
    const Area<T> work(ctx, size);
    const Area<double> reals(ctx, workSize(realQuery));
    const Area<int64_t> integers(ctx, std::max<int64_t>(integerQuery, 1));
    if (!work || !reals || !integers)
        return noMemory(ctx);
    a[0].load(matrix);
    // The result where there are no rows.
    std::fill_n(static_cast<T *>(right), rightLeading * sides, T(0));
    b[0].load(right, rightLeading, sides);
    if (!run(work, reals, integers))
        return nativeRaises;
    x[0].store(right, rightLeading);
    values[0].store(found);
    for (int64_t j = 0; j < sides && m >= n && rank == n; ++j) {
        double sum = 0;
        for (int64_t i = n; i < m; ++i)
            sum += squared(right[j * rightLeading + i]);
        residuals.number(j * residuals.array.strides[0]) = sum;
    }
    return rank;
}

} // namespace

SymbolTable lapackValuesSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf("sc_lapack_svdvals_d", &svdvals<double>),
        symbolOf("sc_lapack_svdvals_D", &svdvals<Complex>),
        symbolOf("sc_lapack_svd_d", &svd<double>),
        symbolOf("sc_lapack_svd_D", &svd<Complex>),
        symbolOf("sc_lapack_eigvalsh_d", &eigvalsh<double>),
        symbolOf("sc_lapack_eigvalsh_D", &eigvalsh<Complex>),
        symbolOf("sc_lapack_eigh_d", &eigh<double>),
        symbolOf("sc_lapack_eigh_D", &eigh<Complex>),
        symbolOf("sc_lapack_eigvals_d", &eigvals<double>),
        symbolOf("sc_lapack_eigvals_D", &eigvals<Complex>),
        symbolOf("sc_lapack_eig_d", &eig<double>),
        symbolOf("sc_lapack_eig_D", &eig<Complex>),
        symbolOf("sc_lapack_lstsq_d", &lstsq<double>),
        symbolOf("sc_lapack_lstsq_D", &lstsq<Complex>),
    };
    return table;
}

} // namespace shapecast::runtime
