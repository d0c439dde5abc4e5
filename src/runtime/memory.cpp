// Buffers of compiled code: 64-byte aligned, counted, recycled, and listed per call so that errors
// free everything.
#include "runtime/symbols.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <vector>

namespace shapecast::runtime {
namespace {

// Blocks up to smallLimit come in powers of two from 128 bytes, kept per thread; larger ones are
// shared by all threads.
constexpr size_t smallestBlock = 128, smallLimit = size_t{1} << 16;
constexpr int smallClasses = 10; // 128 << 9 == 65536
constexpr int blocksPerClass = 8;
constexpr size_t pageLimit = size_t{1} << 22; // from here on huge pages pay
constexpr size_t hugePage = size_t{1} << 21;
constexpr size_t keptBytes = size_t{1} << 26; // of large blocks, in the whole process

// Under AddressSanitizer every buffer is a block of its own, of the size asked for.
#ifdef SHAPECAST_ASAN
constexpr bool recycles = false;
#else
constexpr bool recycles = true;
#endif

std::atomic<int64_t> live{0};

struct SmallBlocks { // a thread's free blocks
    void *blocks[smallClasses][blocksPerClass] = {};
    int counts[smallClasses] = {};
    bool ended = false;
    ~SmallBlocks() {
        ended = true; // a buffer may be freed after this, while the thread's other objects are
                      // destroyed
        for (int c = 0; c < smallClasses; ++c)
            while (counts[c] > 0)
                std::free(blocks[c][--counts[c]]);
    }
};
thread_local SmallBlocks small;

// Freed large blocks. Handing them back to the system costs a page fault per 4 KiB when they are
// used again, which is as much as a streaming kernel itself.
struct LargeBlocks {
    struct Block {
        void *start;
        size_t bytes;
    };
    std::mutex mutex;
    std::vector<Block> blocks;
    size_t total = 0;
};
LargeBlocks &large() {
    static LargeBlocks *kept =
        new LargeBlocks; // never destroyed: arrays may outlive static destructors
    return *kept;
}

int classOf(size_t bytes) { // the smallest class that holds `bytes`
    if (bytes <= smallestBlock)
        return 0;
    return 64 - __builtin_clzll((bytes - 1) >> 7);
}

size_t roundedSize(size_t bytes) {
    if (!recycles)
        return bytes;
    if (bytes <= smallLimit)
        return smallestBlock << classOf(bytes);
    const size_t unit = bytes < pageLimit ? 4096 : hugePage;
    return (bytes + unit - 1) & ~(unit - 1);
}

void *takeLarge(size_t bytes) {
    LargeBlocks &kept = large();
    {
        std::lock_guard lock(kept.mutex);
        for (size_t i = kept.blocks.size(); i-- > 0;) {
            // Exact sizes only: programs repeat their sizes, and a block keeps the size it was made
            // with.
            if (kept.blocks[i].bytes != bytes)
                continue;
            void *start = kept.blocks[i].start;
            kept.blocks.erase(kept.blocks.begin() + static_cast<long>(i));
            kept.total -= bytes;
            return start;
        }
    }
    void *start = std::aligned_alloc(bytes < pageLimit ? 64 : hugePage, bytes);
    if (start && bytes >= pageLimit)
        madvise(start, bytes, MADV_HUGEPAGE);
    return start;
}

void giveLarge(void *start, size_t bytes) {
    LargeBlocks &kept = large();
    std::vector<LargeBlocks::Block> dropped;
    {
        std::lock_guard lock(kept.mutex);
        if (bytes <= keptBytes) {
            kept.blocks.push_back({start, bytes});
            kept.total += bytes;
        } else {
            dropped.push_back({start, bytes});
        }
        while (kept.total > keptBytes) { // oldest first
            kept.total -= kept.blocks.front().bytes;
            dropped.push_back(kept.blocks.front());
            kept.blocks.erase(kept.blocks.begin());
        }
    }
    for (const auto &block : dropped)
        std::free(block.start);
}

void *takeBlock(size_t rounded) {
    void *start = nullptr;
    if (!recycles)
        return posix_memalign(&start, 64, rounded) == 0 ? start : nullptr;
    if (rounded > smallLimit)
        return takeLarge(rounded);
    const int c = classOf(rounded);
    if (small.counts[c] > 0)
        return small.blocks[c][--small.counts[c]];
    return std::aligned_alloc(64, rounded);
}

void giveBlock(void *start, size_t rounded) {
    if (!recycles)
        return std::free(start);
    if (rounded > smallLimit)
        return giveLarge(start, rounded);
    const int c = classOf(rounded);
    if (!small.ended && small.counts[c] < blocksPerClass)
        small.blocks[c][small.counts[c]++] = start;
    else
        std::free(start);
}

Buffer *headerOf(void *data) {
    return reinterpret_cast<Buffer *>(static_cast<char *>(data) - bufferHeader);
}
void *dataOf(Buffer *buffer) { return reinterpret_cast<char *>(buffer) + bufferHeader; }

void unlink(Context *ctx, Buffer *buffer) {
    (buffer->previous ? buffer->previous->next : ctx->live) = buffer->next;
    if (buffer->next)
        buffer->next->previous = buffer->previous;
}

Buffer *newBuffer(int64_t bytes) {
    if (bytes < 0 || bytes > (int64_t{1} << 47)) // beyond any address space: a size that overflowed
        return nullptr;
    auto *buffer =
        static_cast<Buffer *>(takeBlock(roundedSize(static_cast<size_t>(bytes) + bufferHeader)));
    if (!buffer)
        return nullptr;
    buffer->next = buffer->previous = nullptr;
    buffer->bytes = static_cast<size_t>(bytes);
    buffer->owners = 1;
    live.fetch_add(1, std::memory_order_relaxed);
    return buffer;
}

void freeBuffer(Buffer *buffer) {
    live.fetch_sub(1, std::memory_order_relaxed);
    giveBlock(buffer, roundedSize(buffer->bytes + bufferHeader));
}

} // namespace

extern "C" void *sc_alloc(Context *ctx, int64_t bytes) {
    Buffer *buffer = newBuffer(bytes);
    if (!buffer) {
        ctx->error.site = -2;
        return nullptr;
    }
    buffer->next = ctx->live;
    if (ctx->live)
        ctx->live->previous = buffer;
    ctx->live = buffer;
    return dataOf(buffer);
}

extern "C" void sc_retain(void *owner) {
    const auto token = reinterpret_cast<uintptr_t>(owner);
    if (!(token & ownerArgument))
        ++headerOf(bufferOf(token))->owners;
}

extern "C" void sc_release(Context *ctx, void *owner) {
    const auto token = reinterpret_cast<uintptr_t>(owner);
    if (token & ownerArgument)
        return;
    Buffer *buffer = headerOf(bufferOf(token));
    if (--buffer->owners > 0)
        return;
    unlink(ctx, buffer);
    freeBuffer(buffer);
}

void detach(Context *ctx, void *data) { unlink(ctx, headerOf(data)); }

void freeDetached(void *data) { freeBuffer(headerOf(data)); }

void *allocDetached(int64_t bytes) {
    Buffer *buffer = newBuffer(bytes);
    return buffer ? dataOf(buffer) : nullptr;
}

size_t bufferBytes(void *data) { return headerOf(data)->bytes; }

void releaseAll(Context *ctx) {
    while (Buffer *buffer = ctx->live) {
        ctx->live = buffer->next;
        freeBuffer(buffer);
    }
}

int64_t liveAllocations() { return live.load(std::memory_order_relaxed); }

const RuntimeSymbol *memorySymbols(size_t *count) {
    static const RuntimeSymbol table[] = {
        {"sc_alloc", reinterpret_cast<void *>(&sc_alloc)},
        {"sc_retain", reinterpret_cast<void *>(&sc_retain)},
        {"sc_release", reinterpret_cast<void *>(&sc_release)},
    };
    *count = std::size(table);
    return table;
}

} // namespace shapecast::runtime
