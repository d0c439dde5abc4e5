// Overlapping moves, copies and fills of contiguous elements: sc_move, sc_copy, sc_fill.
//
// The C library's memmove moves more than a few KB by `rep movsb`, which takes ten times as long on
// Zen 3 for some distances (5.5 KB of rows: 1.4 us; glibc 2.36). Vectors always take the same time.
#include "runtime/callbacks.h"
#include "runtime/memory.h"
#include "runtime/processor.h"
#include "runtime/symbols.h"
#include "runtime/threads.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace shapecast::runtime {

namespace {

constexpr int64_t minMoveBytes = 1024; // below, memmove uses vectors

using Vector [[gnu::vector_size(32), gnu::aligned(1), gnu::may_alias]] = int64_t;
using HalfVector [[gnu::vector_size(16), gnu::aligned(1), gnu::may_alias]] = int64_t;
constexpr int64_t chunk = 4 * sizeof(Vector);

// All is loaded before anything is stored, so that source and target chunk may overlap.
[[SC_TARGET("avx"), gnu::always_inline]] inline void moveChunk(char *to, const char *from) {
    const auto *source = reinterpret_cast<const Vector *>(from);
    auto *target = reinterpret_cast<Vector *>(to);
    const Vector a = source[0], b = source[1], c = source[2], d = source[3];
    target[0] = a, target[1] = b, target[2] = c, target[3] = d;
}

[[SC_TARGET("avx")]] void moveUp(char *to, const char *from, int64_t bytes) {
    for (; bytes >= chunk; bytes -= chunk)
        moveChunk(to + bytes - chunk, from + bytes - chunk);
    std::memmove(to, from, size_t(bytes));
}

template <class Word> [[gnu::always_inline]] inline void put(char *&to, Word word) {
    std::memcpy(to, &word, sizeof word);
    to += sizeof word;
}

// `V`: a vector of words. An item's size divides a word's, so that any prefix of one is right.
template <class V>
[[gnu::always_inline]] inline void fillBy(char *to, int64_t word, int64_t bytes) {
    const V all = V{} + word;
    for (; bytes >= int64_t(4 * sizeof(V)); bytes -= 4 * sizeof(V))
        put(to, all), put(to, all), put(to, all), put(to, all);
    for (; bytes >= int64_t(sizeof(V)); bytes -= sizeof(V))
        put(to, all);
    for (; bytes >= 8; bytes -= 8)
        put(to, word);
    if (bytes & 4)
        put(to, int32_t(word));
    if (bytes & 2)
        put(to, int16_t(word));
    if (bytes & 1)
        put(to, int8_t(word));
}

[[SC_TARGET("avx2")]] void fillWide(char *to, int64_t word, int64_t bytes) {
    fillBy<Vector>(to, word, bytes);
}

const bool hasAvx2 = SC_PROCESSOR_HAS("avx2");

void fillBytes(char *to, int64_t word, int64_t bytes) {
    if (hasAvx2)
        fillWide(to, word, bytes);
    else
        fillBy<HalfVector>(to, word, bytes);
}

[[gnu::always_inline]] inline void take(char *&to, const char *&from, int64_t bytes) {
    std::memmove(to, from, size_t(bytes)); // all of it is loaded first
    to += bytes, from += bytes;
}

// In ascending order: `to` may be below `from` and overlap it.
[[SC_TARGET("avx2")]] void copyWide(char *to, const char *from, int64_t bytes) {
    for (; bytes >= chunk; bytes -= chunk, to += chunk, from += chunk)
        moveChunk(to, from);
    for (; bytes >= int64_t(sizeof(Vector)); bytes -= sizeof(Vector))
        take(to, from, sizeof(Vector));
    for (; bytes >= 8; bytes -= 8)
        take(to, from, 8);
    for (int64_t part : {4, 2, 1})
        if (bytes & part)
            take(to, from, part);
}

void copyBytes(char *to, const char *from, int64_t bytes) {
    if (hasAvx2)
        copyWide(to, from, bytes);
    else
        std::memmove(to, from, size_t(bytes));
}

// Loops over cache lines, as compiled loop nests: shared among threads where they are long, with a
// poll for signals now and then.
constexpr int64_t line = 64, grain = pollGrain * 8;

template <class Body>
[[gnu::always_inline]] inline void forGrains(Context *ctx, int64_t from, int64_t to, int64_t bytes,
                                             Body body) {
    const int64_t end = std::min(to * line, bytes);
    for (int64_t at = from * line; at < end; at += grain) {
        body(at, std::min(end - at, grain));
        if (end - at > grain)
            sc_poll(ctx);
    }
}

// Operands: to, from, bytes.
void copyPart(Context *ctx, const int64_t *operands, int64_t from, int64_t to) {
    forGrains(ctx, from, to, operands[2], [&](int64_t at, int64_t bytes) {
        copyBytes(reinterpret_cast<char *>(operands[0]) + at,
                  reinterpret_cast<const char *>(operands[1]) + at, bytes);
    });
}

// Operands: to, word, bytes.
void fillPart(Context *ctx, const int64_t *operands, int64_t from, int64_t to) {
    constexpr int64_t minMemsetBytes = int64_t{1} << 20; // from here on the C library is faster
    if (operands[1] == 0 && operands[2] >= minMemsetBytes)
        return forGrains(ctx, from, to, operands[2], [&](int64_t at, int64_t bytes) {
            std::memset(reinterpret_cast<char *>(operands[0]) + at, 0, size_t(bytes));
        });
    forGrains(ctx, from, to, operands[2], [&](int64_t at, int64_t bytes) {
        fillBytes(reinterpret_cast<char *>(operands[0]) + at, operands[1], bytes);
    });
}

[[gnu::noinline]] void runInParallel(Context *ctx, Part part, const int64_t (&operands)[3]) {
    const int64_t bytes = operands[2], lines = (bytes + line - 1) / line;
    if (bytes / 8 >= ctx->minParallelWork)
        parallel(ctx, part, operands, lines);
    else
        part(ctx, operands, 0, lines);
}

bool isShort(const Context *ctx, int64_t bytes) {
    return bytes < grain && bytes / 8 < ctx->minParallelWork;
}

} // namespace

// The arrays do not overlap, or are the same.
extern "C" void sc_copy(Context *ctx, void *to, const void *from, int64_t bytes) {
    if (isShort(ctx, bytes))
        return copyBytes(static_cast<char *>(to), static_cast<const char *>(from), bytes);
    runInParallel(ctx, &copyPart,
                  {reinterpret_cast<int64_t>(to), reinterpret_cast<int64_t>(from), bytes});
}

// `word`: the item's bits, repeated to fill 8 bytes.
extern "C" void sc_fill(Context *ctx, void *to, int64_t word, int64_t bytes) {
    if (isShort(ctx, bytes))
        return fillBytes(static_cast<char *>(to), word, bytes);
    runInParallel(ctx, &fillPart, {reinterpret_cast<int64_t>(to), word, bytes});
}

extern "C" void sc_move(void *to, const void *from, int64_t bytes) {
    if (bytes < minMoveBytes || !hasAvx2)
        std::memmove(to, from, size_t(bytes));
    else if (to < from)
        copyWide(static_cast<char *>(to), static_cast<const char *>(from), bytes);
    else
        moveUp(static_cast<char *>(to), static_cast<const char *>(from), bytes);
}

SymbolTable copyFillSymbols() {
    static const RuntimeSymbol table[] = {symbolOf<&sc_copy>(), symbolOf<&sc_fill>(),
                                          symbolOf<&sc_move>()};
    return table;
}

} // namespace shapecast::runtime
