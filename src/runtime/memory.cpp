// Buffers of compiled code: 64-byte aligned, counted, recycled, and listed per call so that errors
// free everything.
#include "runtime/symbols.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
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
// Of large blocks, in the whole process: so many are kept as they are, and more (up to an eighth of
// the machine's memory) as what the system may take whenever it needs some. Fresh pages cost twice
// what a triad of 192 MB does.
constexpr size_t keptBytes = size_t{1} << 26, mostLent = size_t{1} << 30;
// So much beyond a program's peak: lists that grow by doubling need a block of each size again in
// every call.
constexpr size_t moreKept = size_t{1} << 20;

// Large blocks begin where pages do. Were their data to begin there, too, all arrays of a loop
// would have the same low 12 bits of addresses at the same time, by which processors tell whether a
// load must wait for a store before it (a triad in the third-level cache: 138 us, apart 126). So
// buffers made one after the other begin in different quarters of a page.
constexpr size_t page = 4096, pageStep = 1280;

// Under AddressSanitizer every buffer is a block of its own, of the size asked for.
#ifdef SHAPECAST_ASAN
constexpr bool recycles = false;
#else
constexpr bool recycles = true;
#endif

std::atomic<int64_t> liveElsewhere{0};                          // of threads that are ending
std::atomic<int64_t> heldBytes{0}, peakBytes{0}, blocksMade{0}; // of the C library, kept ones too

void *blockOfSystem(size_t alignment, size_t bytes) {
    void *start = nullptr;
    if (posix_memalign(&start, alignment, bytes) != 0)
        return nullptr;
    blocksMade.fetch_add(1, std::memory_order_relaxed);
    const int64_t now = heldBytes.fetch_add(int64_t(bytes)) + int64_t(bytes);
    int64_t peak = peakBytes.load();
    while (now > peak && !peakBytes.compare_exchange_weak(peak, now))
        ;
    return start;
}

void toSystem(void *start, size_t bytes) {
    heldBytes.fetch_sub(int64_t(bytes));
    std::free(start);
}

// A thread's free blocks, and how many more buffers it made than it freed: counted without atomic
// operations, which take as long as all the rest. Never freed: later threads go on with what others
// left.
struct ThreadBlocks {
    void *blocks[smallClasses][blocksPerClass] = {};
    int counts[smallClasses] = {};
    size_t largeMade = 0;
    std::atomic<int64_t> live{0};
    std::atomic<bool> isTaken{true};
    ThreadBlocks *next = nullptr;

    void count(int64_t change) {
        live.store(live.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
    }
    void clear() {
        for (int c = 0; c < smallClasses; ++c)
            while (counts[c] > 0)
                toSystem(blocks[c][--counts[c]], smallestBlock << c);
    }
};
std::atomic<ThreadBlocks *> allThreads{nullptr};

thread_local ThreadBlocks *ofThread = nullptr;
// A buffer may be freed after this, while the thread's other objects are destroyed.
thread_local bool isThreadEnding = false;
struct ThreadEnd {
    ~ThreadEnd() {
        isThreadEnding = true;
        if (ThreadBlocks *ended = std::exchange(ofThread, nullptr)) {
            ended->clear();
            ended->isTaken.store(false, std::memory_order_release);
        }
    }
};

ThreadBlocks *startThread() {
    if (isThreadEnding)
        return nullptr;
    thread_local ThreadEnd end;
    (void)end;
    for (ThreadBlocks *left = allThreads.load(); left; left = left->next)
        if (!left->isTaken.exchange(true, std::memory_order_acquire))
            return ofThread = left;
    auto *made = new ThreadBlocks;
    made->next = allThreads.load();
    while (!allThreads.compare_exchange_weak(made->next, made))
        ;
    return ofThread = made;
}

// Null while the thread ends.
ThreadBlocks *blocksOfThread() { return ofThread ? ofThread : startThread(); }

void countBuffer(ThreadBlocks *thread, int64_t change) {
    if (thread) [[likely]]
        thread->count(change);
    else
        liveElsewhere.fetch_add(change, std::memory_order_relaxed);
}

size_t mostKept() {
    static const size_t most = std::clamp(
        size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE)) / 8, keptBytes, mostLent);
    return most;
}

// Freed large blocks. Handing them back to the system costs a page fault per 4 KiB when they are
// used again, which is as much as a streaming kernel itself.
struct LargeBlocks {
    struct Block {
        void *start;
        size_t bytes;
    };
    std::mutex mutex;
    std::vector<Block> blocks;     // oldest first
    size_t total = 0;              // bytes of these
    size_t used = 0, mostUsed = 0; // bytes of large blocks given out

    void *take(size_t &bytes);
    void use(size_t bytes) { mostUsed = std::max(mostUsed, used += bytes); }
    void dropDownTo(size_t kept) {
        size_t count = 0;
        for (; total > kept; ++count) {
            total -= blocks[count].bytes;
            toSystem(blocks[count].start, blocks[count].bytes);
        }
        blocks.erase(blocks.begin(), blocks.begin() + static_cast<long>(count));
    }
};
LargeBlocks &large() {
    static LargeBlocks *kept = [] { // never destroyed: arrays may outlive static destructors
        pthread_atfork([] { large().mutex.lock(); }, [] { large().mutex.unlock(); },
                       [] { large().mutex.unlock(); }); // else a child may find it locked for ever
        return new LargeBlocks;
    }();
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
    return (bytes + page - 1) & ~(page - 1);
}

// The smallest kept block that is hardly larger; `bytes` becomes its size. Programs repeat their
// sizes, but for those whose arrays shrink from turn to turn.
void *LargeBlocks::take(size_t &bytes) {
    auto best = blocks.end();
    for (auto block = blocks.begin(); block != blocks.end(); ++block)
        if (block->bytes >= bytes && block->bytes <= bytes + bytes / 16 &&
            (best == blocks.end() || block->bytes <= best->bytes))
            best = block;
    if (best == blocks.end())
        return nullptr;
    void *start = best->start;
    bytes = best->bytes;
    total -= bytes;
    blocks.erase(best);
    return start;
}

// A new block takes the place of kept ones, so that these add little to what a program needs at its
// peak.
void *takeLarge(size_t &bytes) {
    LargeBlocks &kept = large();
    {
        std::lock_guard lock(kept.mutex);
        void *start = kept.take(bytes);
        kept.use(bytes);
        if (start)
            return start;
        const size_t most = kept.mostUsed + kept.mostUsed / 16;
        kept.dropDownTo(most - kept.used + moreKept);
    }
    void *start = blockOfSystem(bytes < pageLimit ? 64 : hugePage, bytes);
    if (start && bytes >= pageLimit)
        madvise(start, bytes, MADV_HUGEPAGE);
    if (!start) {
        std::lock_guard lock(kept.mutex);
        kept.used -= bytes;
    }
    return start;
}

// The whole pages of a block, until somebody writes to it again.
void lend(void *start, size_t bytes) {
    const auto from = (reinterpret_cast<uintptr_t>(start) + page - 1) & ~(page - 1);
    const auto to = (reinterpret_cast<uintptr_t>(start) + bytes) & ~(page - 1);
    madvise(reinterpret_cast<void *>(from), to - from, MADV_FREE);
}

void giveLarge(void *start, size_t bytes) {
    LargeBlocks &kept = large();
    std::lock_guard lock(kept.mutex);
    kept.used -= bytes;
    kept.blocks.push_back({start, bytes});
    kept.total += bytes;
    if (kept.total > keptBytes)
        lend(start, bytes);
    kept.dropDownTo(mostKept());
}

// `bytes` becomes what the block has.
void *takeBlock(ThreadBlocks *thread, size_t &bytes) {
    bytes = roundedSize(bytes);
    if (!recycles)
        return blockOfSystem(64, bytes);
    if (bytes > smallLimit)
        return takeLarge(bytes);
    const int c = classOf(bytes);
    if (thread && thread->counts[c] > 0)
        return thread->blocks[c][--thread->counts[c]];
    return blockOfSystem(64, bytes);
}

void giveBlock(ThreadBlocks *thread, void *start, size_t bytes) {
    if (!recycles)
        return toSystem(start, bytes);
    if (bytes > smallLimit)
        return giveLarge(start, bytes);
    const int c = classOf(bytes);
    if (thread && thread->counts[c] < blocksPerClass)
        thread->blocks[c][thread->counts[c]++] = start;
    else
        toSystem(start, bytes);
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

[[gnu::hot]] Buffer *newBuffer(int64_t bytes) {
    if (bytes < 0 || bytes > (int64_t{1} << 47)) // beyond any address space: a size that overflowed
        return nullptr;
    size_t block = static_cast<size_t>(bytes) + bufferHeader;
    ThreadBlocks *thread = blocksOfThread();
    size_t offset = 0;
    if (recycles && block > smallLimit) {
        offset = (thread ? ++thread->largeMade : 1) * pageStep % page;
        block += page;
    }
    void *start = takeBlock(thread, block);
    if (!start)
        return nullptr;
    auto *buffer = reinterpret_cast<Buffer *>(static_cast<char *>(start) + offset);
    buffer->offset = offset;
    buffer->next = buffer->previous = nullptr;
    buffer->bytes = static_cast<size_t>(bytes);
    buffer->block = block;
    buffer->owners = 1;
    countBuffer(thread, 1);
    return buffer;
}

[[gnu::hot]] void freeBuffer(Buffer *buffer) {
    ThreadBlocks *thread = blocksOfThread();
    countBuffer(thread, -1);
    giveBlock(thread, reinterpret_cast<char *>(buffer) - buffer->offset, buffer->block);
}

} // namespace

extern "C" [[gnu::hot]] void *sc_alloc(Context *ctx, int64_t bytes) {
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

// Turns of a loop that threads share may count owners of one buffer, which all of them outlive.
extern "C" void sc_retain(void *owner) {
    const auto token = reinterpret_cast<uintptr_t>(owner);
    if (!(token & ownerArgument))
        std::atomic_ref(headerOf(bufferOf(token))->owners).fetch_add(1, std::memory_order_relaxed);
}

extern "C" void sc_release(Context *ctx, void *owner) {
    const auto token = reinterpret_cast<uintptr_t>(owner);
    if (token & ownerArgument)
        return;
    Buffer *buffer = headerOf(bufferOf(token));
    std::atomic_ref owners(buffer->owners);
    const bool isLast = owners.load(std::memory_order_relaxed) == 1 ||
                        owners.fetch_sub(1, std::memory_order_relaxed) == 1;
    if (!isLast)
        return;
    unlink(ctx, buffer);
    freeBuffer(buffer);
}

[[gnu::hot]] void detach(Context *ctx, void *data) { unlink(ctx, headerOf(data)); }

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

MemoryUse memoryUse() { return {heldBytes.load(), peakBytes.load(), blocksMade.load()}; }

void dropKeptBlocks() {
    if (ThreadBlocks *thread = blocksOfThread())
        thread->clear();
    LargeBlocks &kept = large();
    std::lock_guard lock(kept.mutex);
    kept.dropDownTo(0);
    kept.mostUsed = kept.used;
    peakBytes.store(heldBytes.load());
}

int64_t liveAllocations() {
    int64_t sum = liveElsewhere.load(std::memory_order_relaxed);
    for (const ThreadBlocks *thread = allThreads.load(); thread; thread = thread->next)
        sum += thread->live.load(std::memory_order_relaxed);
    return sum;
}

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
