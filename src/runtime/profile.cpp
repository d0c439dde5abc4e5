// The clock of profiled calls.
#include "runtime/profile.h"
#include "device/device.h"
#include "runtime/device_memory.h"
#include "runtime/symbols.h"

#include <ctime>

namespace shapecast::runtime {

static int64_t now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

Profile::Profile(size_t rowCount) : rows(rowCount), since(now()) { rows[0].count = 1; }

void Profile::end() {
    const int64_t time = now();
    rows[current].nanoseconds += time - since;
    current = 0;
    since = time;
}

void Profile::mark(size_t row, int64_t bytes) {
    end();
    current = row;
    rows[row].count += 1;
    rows[row].bytes += bytes;
}

extern "C" void sc_mark(Context *ctx, int64_t row, int64_t bytes) {
    if (!ctx->profile)
        return;
    if (ctx->device)
        device::synchronize(ctx->device->stream); // an error is found by what needs the results
    ctx->profile->mark(size_t(row), bytes);
}

SymbolTable profileSymbols() {
    static const RuntimeSymbol table[] = {symbolOf<&sc_mark>()};
    return table;
}

} // namespace shapecast::runtime
