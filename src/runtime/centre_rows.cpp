// Subtracts each row's mean from it: sc_centre_rows (np.cov, np.corrcoef).
#include "runtime/native.h"
#include "runtime/pairwise_sum.h"
#include "runtime/symbols.h"
#include "runtime/threads.h"

#include <cstdint>
#include <iterator>

namespace shapecast::runtime {
namespace {

struct Rows {
    double *to;
    const double *from;
    int64_t length;
};

int32_t centre(Context *, const int64_t *shared, int64_t from, int64_t to) {
    const Rows &rows = *reinterpret_cast<const Rows *>(shared);
    for (int64_t i = from; i < to; ++i) {
        const double *row = rows.from + i * rows.length;
        double *centred = rows.to + i * rows.length;
        const double mean = (0.0 + pairwise::sum(row, rows.length)) / double(rows.length);
        for (int64_t k = 0; k < rows.length; ++k)
            centred[k] = row[k] - mean;
    }
    return 0;
}

} // namespace

// (target, rows): both of float64 in C order. The means are np.mean's.
extern "C" int64_t sc_centre_rows(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray target = in.array(), array = in.array();
    const Rows rows{reinterpret_cast<double *>(target.data),
                    reinterpret_cast<const double *>(array.data), array.sizes[1]};
    const auto *shared = reinterpret_cast<const int64_t *>(&rows);
    if (array.count() < ctx->minParallelWork)
        centre(ctx, shared, 0, array.sizes[0]);
    else
        sc_parallel_loop(ctx, centre, shared, array.sizes[0]);
    return 0;
}

SymbolTable centreRowsSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_centre_rows>(),
    };
    return table;
}

} // namespace shapecast::runtime
