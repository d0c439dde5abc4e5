// What debug code (see lower/promise.cpp) calls: which turns of a prange loop have read and written
// each element.
#include "runtime/symbols.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace shapecast::runtime {
namespace {

// Turns come in order. Of the readers two are enough: when a turn writes, one of them is another.
struct Cell {
    std::optional<int64_t> writer, reader, earlierReader;
};

struct Loop {
    std::unordered_set<const void *> outside;     // buffers that were there before the loop
    std::unordered_map<const char *, Cell> cells; // by address, of at most 8 bytes

    bool isOutside(uintptr_t owner) const {
        return (owner & ownerArgument) || outside.count(bufferOf(owner));
    }
};

struct Broken {
    int64_t how = 0, turn = 0, other = 0;
};

thread_local std::vector<Loop> loops; // the ones that are running, outermost first
thread_local Broken broken;           // the first since it was asked for

Broken touch(Cell &cell, int64_t turn, bool isWritten) {
    if (cell.writer && *cell.writer != turn)
        return {isWritten ? brokenByWrite : brokenByRead, turn, *cell.writer};
    if (!isWritten) {
        if (cell.reader != turn)
            cell.earlierReader = std::exchange(cell.reader, turn);
        return {};
    }
    cell.writer = turn;
    if (cell.reader && *cell.reader != turn)
        return {brokenByReader, turn, *cell.reader};
    if (cell.earlierReader)
        return {brokenByReader, turn, *cell.earlierReader};
    return {};
}

} // namespace

// A loop in `level` others that are checked. Where one before ended by an error, it is still there.
extern "C" void sc_promise_begin(const Context *ctx, int64_t level) {
    loops.resize(size_t(level));
    Loop &loop = loops.emplace_back();
    for (const Buffer *buffer = ctx->live; buffer; buffer = buffer->next)
        loop.outside.insert(reinterpret_cast<const char *>(buffer) + bufferHeader);
    broken = {};
}

extern "C" void sc_promise_end(int64_t level) { loops.resize(size_t(level)); }

extern "C" void sc_promise_access(int64_t level, int64_t turn, int64_t owner, const char *address,
                                  int64_t bytes, int64_t isWritten) {
    Loop &loop = loops[size_t(level)];
    if (!loop.isOutside(static_cast<uintptr_t>(owner)))
        return; // made in this turn
    for (int64_t done = 0; done < bytes; done += 8) {
        const Broken here = touch(loop.cells[address + done], turn, isWritten);
        if (!broken.how)
            broken = here;
    }
}

// 0, or what happened; then turns[0] is the turn that did it and turns[1] the one before.
extern "C" int64_t sc_promise_broken(int64_t *turns) {
    turns[0] = broken.turn;
    turns[1] = broken.other;
    return std::exchange(broken, {}).how;
}

const RuntimeSymbol *promiseSymbols(size_t *count) {
    static const RuntimeSymbol table[] = {
        {"sc_promise_begin", reinterpret_cast<void *>(&sc_promise_begin)},
        {"sc_promise_end", reinterpret_cast<void *>(&sc_promise_end)},
        {"sc_promise_access", reinterpret_cast<void *>(&sc_promise_access)},
        {"sc_promise_broken", reinterpret_cast<void *>(&sc_promise_broken)},
    };
    *count = std::size(table);
    return table;
}

} // namespace shapecast::runtime
