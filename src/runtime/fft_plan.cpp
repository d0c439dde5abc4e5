// Computes the tables of fft_plan.h.
#include "runtime/fft_plan.h"

#include <atomic>
#include <cmath>
#include <memory>
#include <numbers>

namespace shapecast::runtime {
namespace {

constexpr int wholeTableLog = 12; // up to here a table of all twiddle factors fits L1 and L2

struct Root {
    long double re, im;
};

// exp(-2 pi i k / n) for n a power of two: products of two roots from tables, in extended
// precision, of angles up to pi / 4, where both parts keep all their digits. So each number is off
// by at most half an ULP and a thousandth.
class Roots {
public:
    explicit Roots(int64_t n) : n(n) {
        while (int64_t{64} << (2 * shift) < n)
            ++shift;
        for (int64_t k = 0; k <= int64_t{1} << shift; ++k)
            small.push_back(computed(k));
        for (int64_t k = 0; k << shift <= n / 8; ++k)
            large.push_back(computed(k << shift));
    }

    Root operator()(int64_t k) const {
        k &= n - 1;
        const bool isBelow = 2 * k > n; // conjugate of one above
        if (isBelow)
            k = n - k;
        const bool isLeft = 4 * k > n;
        if (isLeft)
            k = n / 2 - k;
        const bool isSteep = 8 * k > n;
        Root r = product(isSteep ? n / 4 - k : k);
        if (isSteep)
            std::swap(r.re, r.im);
        return {isLeft ? -r.re : r.re, isBelow ? r.im : -r.im};
    }

private:
    int64_t n;
    int shift = 0;
    std::vector<Root> small, large; // cosines and sines

    Root computed(int64_t k) const {
        const long double angle = 2 * std::numbers::pi_v<long double> * k / n;
        return {std::cos(angle), std::sin(angle)};
    }
    Root product(int64_t k) const {
        const Root a = large[k >> shift], b = small[k & ((int64_t{1} << shift) - 1)];
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
};

Table tableOf(int64_t numbers) { return Table((numbers + 7) / 8); }
double *begin(Table &table) { return table.data()->numbers; }

void split(ColumnPlan &plan, int log2Points) {
    const auto add = [&](int radix, int log) {
        plan.radices[plan.passes++] = radix;
        log2Points -= log;
    };
    if (log2Points == 1)
        add(2, 1);
    if (log2Points % 2)
        add(8, 3);
    while (log2Points > 0)
        add(4, 2);
}

ColumnPlan columnPlan(int log2Points) {
    ColumnPlan plan;
    plan.points = 1 << log2Points;
    split(plan, log2Points);
    const Roots root(plan.points);
    std::vector<double> roots;
    plan.rowOf.assign(plan.points, 0);
    int results = 1, left = plan.points; // of the passes so far; points of a sub-column
    for (int pass = 0; pass < plan.passes; ++pass) {
        const int radix = plan.radices[pass];
        const int step = plan.points / left; // the sub-column's roots among all
        left /= radix;
        for (int k = 0; k < plan.points; ++k)
            plan.rowOf[k] += k / results % radix * left;
        results *= radix;
        plan.rootsFrom[pass] = static_cast<int>(roots.size());
        for (int p = 0; p < left; ++p)
            for (int k = 1; k < radix; ++k) {
                const Root r = root(int64_t(step) * p * k);
                roots.insert(roots.end(), {double(r.re), double(r.im)});
            }
    }
    plan.roots = tableOf(int64_t(roots.size()));
    std::copy(roots.begin(), roots.end(), begin(plan.roots));
    return plan;
}

void fillTwiddles(FftPlan &plan) {
    const Roots root(plan.points);
    const int block = plan.block;
    const int64_t n1 = plan.columns.points, blocks = plan.rows.points / block;
    const bool isWhole = plan.points <= int64_t{1} << wholeTableLog;
    plan.fine = tableOf((isWhole ? blocks : 1) * n1 * block * 2);
    double *at = begin(plan.fine);
    for (int64_t b = 0; b < (isWhole ? blocks : 1); ++b)
        for (int64_t k = 0; k < n1; ++k, at += 2 * block)
            for (int lane = 0; lane < block; ++lane) {
                const Root r = root(k * (b * block + columnOf(lane, plan.lanes)));
                at[lane] = double(r.re);
                at[block + lane] = double(r.im);
            }
    if (isWhole)
        return;
    plan.coarse = tableOf(blocks * n1 * 2);
    at = begin(plan.coarse);
    for (int64_t b = 0; b < blocks; ++b)
        for (int64_t k = 0; k < n1; ++k, at += 2) {
            const Root r = root(k * b * block);
            at[0] = double(r.re);
            at[1] = double(r.im);
        }
}

std::unique_ptr<FftPlan> makePlan(int log2Points, int lanes) {
    auto plan = std::make_unique<FftPlan>();
    plan->points = int64_t{1} << log2Points;
    plan->block = log2Points >= 6 ? 8 : 4;
    if (log2Points == minFftLog)
        return plan; // without tables
    plan->columns = columnPlan(log2Points - log2Points / 2);
    plan->rows = columnPlan(log2Points / 2);
    plan->lanes = std::min(lanes, plan->block);
    fillTwiddles(*plan);
    return plan;
}

std::unique_ptr<RealPlan> makeRealPlan(int log2Points, int) {
    auto plan = std::make_unique<RealPlan>();
    const int64_t points = int64_t{1} << log2Points;
    const Roots root(2 * points);
    const bool isWhole = log2Points <= wholeTableLog;
    const int64_t rows = points / 16 + 1;
    plan->fine = tableOf((isWhole ? rows : 1) * 16);
    double *at = begin(plan->fine);
    for (int64_t k = 1; k <= (isWhole ? rows : 1) * 8; ++k) {
        const Root r = root(k);
        double *row = at + (k - 1) / 8 * 16 + (k - 1) % 8;
        row[0] = double(r.im);
        row[8] = double(-r.re);
    }
    if (isWhole)
        return plan;
    plan->coarse = tableOf(rows * 2);
    at = begin(plan->coarse);
    for (int64_t row = 0; row < rows; ++row) {
        const Root r = root(8 * row);
        at[2 * row] = double(r.re);
        at[2 * row + 1] = double(r.im);
    }
    return plan;
}

// Threads that need a plan at the same time both compute it; one of the two is kept. So there is no
// lock that a forked child could find locked.
template <class Plan, std::unique_ptr<Plan> (*make)(int, int)>
const Plan *cachedPlan(int log2Points, int lanes) {
    static std::atomic<const Plan *> plans[2][maxFftLog + 1];
    std::atomic<const Plan *> &slot = plans[lanes == 8][log2Points];
    if (const Plan *known = slot.load(std::memory_order_acquire))
        return known;
    auto made = make(log2Points, lanes);
    const Plan *before = nullptr;
    return slot.compare_exchange_strong(before, made.get()) ? made.release() : before;
}

} // namespace

const FftPlan *fftPlan(int log2Points, int lanes) {
    return cachedPlan<FftPlan, makePlan>(log2Points, lanes);
}

const RealPlan *realPlan(int log2Points) {
    return cachedPlan<RealPlan, makeRealPlan>(log2Points, 0);
}

} // namespace shapecast::runtime
