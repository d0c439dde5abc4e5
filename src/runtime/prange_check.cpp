// Called by debug code (see lower/function/prange_check.cpp): finds loop-carried dependences of
// prange loops, from the iterations that have read and written each element.
#include "runtime/prange_check.h"
#include "runtime/memory.h"
#include "runtime/symbols.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace shapecast::runtime {
namespace {

// Iterations run in order. Two readers are enough: when an iteration writes, one of them differs
// from it.
struct Cell {
    std::optional<int64_t> writer, reader, earlierReader;
};

struct Loop {
    std::unordered_set<const void *> shared;      // buffers allocated before the loop
    std::unordered_map<const char *, Cell> cells; // by address, of at most 8 bytes

    bool isShared(uintptr_t owner) const {
        return (owner & ownerArgument) || shared.count(bufferOf(owner));
    }
};

struct Dependence {
    int64_t kind = independent, iteration = 0, earlier = 0;
};

thread_local std::vector<Loop> loops;    // those that are running, outermost first
thread_local Dependence firstDependence; // since the last query

Dependence recordAccess(Cell &cell, int64_t iteration, bool isWritten) {
    if (cell.writer && *cell.writer != iteration)
        return {isWritten ? writeAfterWrite : readAfterWrite, iteration, *cell.writer};
    if (!isWritten) {
        if (cell.reader != iteration)
            cell.earlierReader = std::exchange(cell.reader, iteration);
        return {};
    }
    cell.writer = iteration;
    if (cell.reader && *cell.reader != iteration)
        return {writeAfterRead, iteration, *cell.reader};
    if (cell.earlierReader)
        return {writeAfterRead, iteration, *cell.earlierReader};
    return {};
}

} // namespace

// Begins a loop in `level` other checked ones. Drops loops that an error has ended.
extern "C" void sc_prange_begin(const Context *ctx, int64_t level) {
    loops.resize(size_t(level));
    Loop &loop = loops.emplace_back();
    for (const Buffer *buffer = ctx->live; buffer; buffer = buffer->next)
        loop.shared.insert(reinterpret_cast<const char *>(buffer) + bufferHeader);
    firstDependence = {};
}

extern "C" void sc_prange_end(int64_t level) { loops.resize(size_t(level)); }

extern "C" void sc_prange_access(int64_t level, int64_t iteration, int64_t owner,
                                 const char *address, int64_t bytes, int64_t isWritten) {
    Loop &loop = loops[size_t(level)];
    if (!loop.isShared(static_cast<uintptr_t>(owner)))
        return; // allocated in this iteration
    for (int64_t done = 0; done < bytes; done += 8) {
        const Dependence found = recordAccess(loop.cells[address + done], iteration, isWritten);
        if (firstDependence.kind == independent)
            firstDependence = found;
    }
}

// The kind of the first dependence since the last query, or `independent`; `iterations` becomes its
// later iteration, and the earlier one.
extern "C" int64_t sc_prange_dependence(int64_t *iterations) {
    iterations[0] = firstDependence.iteration;
    iterations[1] = firstDependence.earlier;
    return std::exchange(firstDependence, {}).kind;
}

SymbolTable prangeCheckSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_prange_begin>(),
        symbolOf<&sc_prange_end>(),
        symbolOf<&sc_prange_access>(),
        symbolOf<&sc_prange_dependence>(),
    };
    return table;
}

} // namespace shapecast::runtime
