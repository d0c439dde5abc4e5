// Buffers of compiled code: 64-byte aligned, reference counted, recycled, and listed per call so
// that errors free everything.
#include "runtime/memory.h"
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

// Free blocks are cached: up to smallLimit in size classes (powers of two from 128 bytes) per
// thread; larger ones are shared by all threads.
constexpr size_t smallestBlock = 128, smallLimit = size_t{1} << 16;
constexpr int smallClasses = 10; // 128 << 9 == 65536
// Strings, instances and small containers come by thousands, and are freed together: from the C
// library each would take as long as ten of these. So blocks of the first classes are parts of
// slabs, which return to the C library when all of their blocks are free in one thread.
constexpr int slabClasses = 2;
constexpr size_t slabBytes = size_t{1} << 16; // and their alignment
constexpr int keptBlocks = 8;                 // of another class, by a thread
constexpr int keptInSlabs = 1 << 17;          // before slabs are looked for that are free

// At the begin of a slab, in place of its first block.
struct Slab {
    int64_t size, unused; // blocks, and how many are free: counted by releaseSlabs
    static Slab *of(void *block) {
        return reinterpret_cast<Slab *>(reinterpret_cast<uintptr_t>(block) & ~(slabBytes - 1));
    }
};
static_assert(sizeof(Slab) <= smallestBlock);
constexpr size_t pageLimit = size_t{1} << 22; // from here on huge pages are worth it
constexpr size_t hugePage = size_t{1} << 21;
// Free large blocks of the whole process: up to keptBytes are cached as they are, and more (up to
// an eighth of the machine's memory, or maxLazyBytes) with MADV_FREE, so that the kernel can
// reclaim them. Page faults of fresh pages take twice as long as a triad of 192 MB.
constexpr size_t keptBytes = size_t{1} << 26, maxLazyBytes = size_t{1} << 30;
// Slack beyond a program's peak: lists that grow by doubling need a block of each size again in
// every call.
constexpr size_t keptSlack = size_t{1} << 20;

// Large blocks are page aligned. If their data were, too, accesses to all arrays of a loop would
// have the same low 12 bits of addresses, by which processors compare a load with earlier stores
// (4 KiB aliasing; a triad in the L3 cache: 138 us, without it 126). So consecutive buffers begin
// at different offsets in a page.
constexpr size_t page = 4096, pageStep = 1280;

// Under AddressSanitizer every buffer is a block of its own, of the requested size.
#ifdef SHAPECAST_ASAN
constexpr bool recycles = false;
#else
constexpr bool recycles = true;
#endif

std::atomic<int64_t> liveOfEndingThreads{0};
// Of blocks from the C library, cached ones included.
std::atomic<int64_t> allocatedBytes{0}, peakBytes{0}, blocksMade{0};

void *blockOfSystem(size_t alignment, size_t bytes) {
    void *start = nullptr;
    if (posix_memalign(&start, alignment, bytes) != 0)
        return nullptr;
    blocksMade.fetch_add(1, std::memory_order_relaxed);
    const int64_t now = allocatedBytes.fetch_add(int64_t(bytes)) + int64_t(bytes);
    int64_t peak = peakBytes.load();
    while (now > peak && !peakBytes.compare_exchange_weak(peak, now))
        ;
    return start;
}

void toSystem(void *start, size_t bytes) {
    allocatedBytes.fetch_sub(int64_t(bytes));
    std::free(start);
}

// A thread's free blocks, and the number of buffers it allocated less those it freed: counted
// without atomic read-modify-writes, which take as long as all the rest. Never freed: later threads
// reuse those of ended ones.
struct ThreadBlocks {
    void *blocks[smallClasses] = {}; // each points to the next one
    int counts[smallClasses] = {};
    int mostInSlabs[slabClasses] = {keptInSlabs, keptInSlabs}; // of `counts`, before releaseSlabs
    size_t largeMade = 0;
    std::atomic<int64_t> live{0};
    std::atomic<bool> isTaken{true};
    ThreadBlocks *next = nullptr;

    void count(int64_t change) {
        live.store(live.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
    }
    void *take(int c) {
        --counts[c];
        return std::exchange(blocks[c], *static_cast<void **>(blocks[c]));
    }
    void give(int c, void *block) {
        ++counts[c];
        *static_cast<void **>(block) = std::exchange(blocks[c], block);
    }
    bool addSlab(int c); // its blocks; false: no memory
    void releaseSlabs(int c);
    void *takePart(int c) { // of a slab; null: no memory
        return counts[c] > 0 || addSlab(c) ? take(c) : nullptr;
    }
    void givePart(int c, void *block) {
        give(c, block);
        if (counts[c] > mostInSlabs[c]) [[unlikely]]
            releaseSlabs(c);
    }
    void clear() {
        for (int c = 0; c < slabClasses; ++c)
            releaseSlabs(c);
        for (int c = slabClasses; c < smallClasses; ++c)
            while (counts[c] > 0)
                toSystem(take(c), smallestBlock << c);
    }
};

bool ThreadBlocks::addSlab(int c) {
    auto *start = static_cast<char *>(blockOfSystem(slabBytes, slabBytes));
    if (!start)
        return false;
    const size_t block = smallestBlock << c;
    *reinterpret_cast<Slab *>(start) = {int64_t(slabBytes / block) - 1, 0};
    for (size_t at = slabBytes - block; at > 0; at -= block) // so that they are taken in order
        give(c, start + at);
    return true;
}

void ThreadBlocks::releaseSlabs(int c) {
    for (void *block = blocks[c]; block; block = *static_cast<void **>(block))
        Slab::of(block)->unused = 0;
    for (void *block = blocks[c]; block; block = *static_cast<void **>(block))
        ++Slab::of(block)->unused;
    Slab *whole = nullptr; // a list by their first words
    void **last = &blocks[c];
    int left = 0;
    for (void *block = blocks[c], *next; block; block = next) {
        next = *static_cast<void **>(block);
        Slab *slab = Slab::of(block);
        if (slab->size > slab->unused && slab->unused >= 0) {
            *last = block;
            last = static_cast<void **>(block);
            ++left;
        } else if (slab->unused >= 0) {
            slab->unused = -1;
            slab->size = reinterpret_cast<int64_t>(std::exchange(whole, slab));
        }
    }
    *last = nullptr;
    counts[c] = left;
    mostInSlabs[c] = std::max(keptInSlabs, 2 * left);
    while (whole)
        toSystem(std::exchange(whole, reinterpret_cast<Slab *>(whole->size)), slabBytes);
}

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

// Slabs of threads whose ThreadBlocks are given back already.
struct EndingThreads {
    std::mutex mutex;
    ThreadBlocks blocks;
};
EndingThreads &ofEndingThreads() {
    static auto *const all = new EndingThreads;
    return *all;
}

// Null while the thread ends.
ThreadBlocks *blocksOfThread() { return ofThread ? ofThread : startThread(); }

void countBuffer(ThreadBlocks *thread, int64_t change) {
    if (thread) [[likely]]
        thread->count(change);
    else
        liveOfEndingThreads.fetch_add(change, std::memory_order_relaxed);
}

size_t maxCachedBytes() {
    static const size_t limit =
        std::clamp(size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE)) / 8, keptBytes,
                   maxLazyBytes);
    return limit;
}

// Free large blocks. Returned to the system they would cost a page fault per 4 KiB when used again,
// as much as a memory-bound kernel itself.
struct LargeBlocks {
    struct Block {
        void *start;
        size_t bytes;
    };
    std::mutex mutex;
    std::vector<Block> blocks;     // oldest first
    size_t total = 0;              // bytes of these
    size_t used = 0, peakUsed = 0; // bytes of large blocks in use

    void *take(size_t &bytes);
    void use(size_t bytes) { peakUsed = std::max(peakUsed, used += bytes); }
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
                       [] { large().mutex.unlock(); }); // else a forked child may find it locked
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

// The smallest free block that is up to a sixteenth larger; `bytes` becomes its size. Programs
// repeat their sizes, except where arrays shrink from iteration to iteration.
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

// Before it allocates a new block it frees cached ones, so that these add little to the program's
// peak memory.
void *takeLarge(size_t &bytes) {
    LargeBlocks &kept = large();
    {
        std::lock_guard lock(kept.mutex);
        void *start = kept.take(bytes);
        kept.use(bytes);
        if (start)
            return start;
        const size_t limit = kept.peakUsed + kept.peakUsed / 16;
        kept.dropDownTo(limit - kept.used + keptSlack);
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

// Lets the kernel reclaim the whole pages of a block until it is written to again.
void makeReclaimable(void *start, size_t bytes) {
    static const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE)); // 64 KiB on some of ARM
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
        makeReclaimable(start, bytes);
    kept.dropDownTo(maxCachedBytes());
}

// `bytes` becomes the size of the block.
void *takeBlock(ThreadBlocks *thread, size_t &bytes) {
    bytes = roundedSize(bytes);
    if (!recycles)
        return blockOfSystem(64, bytes);
    if (bytes > smallLimit)
        return takeLarge(bytes);
    const int c = classOf(bytes);
    if (c < slabClasses && !thread) {
        const std::lock_guard lock(ofEndingThreads().mutex);
        return ofEndingThreads().blocks.takePart(c);
    }
    if (c < slabClasses)
        return thread->takePart(c);
    return thread && thread->counts[c] > 0 ? thread->take(c) : blockOfSystem(64, bytes);
}

void giveBlock(ThreadBlocks *thread, void *start, size_t bytes) {
    if (!recycles)
        return toSystem(start, bytes);
    if (bytes > smallLimit)
        return giveLarge(start, bytes);
    const int c = classOf(bytes);
    if (c < slabClasses && !thread) {
        const std::lock_guard lock(ofEndingThreads().mutex);
        ofEndingThreads().blocks.givePart(c, start);
    } else if (c < slabClasses) {
        thread->givePart(c, start);
    } else if (thread && thread->counts[c] < keptBlocks) {
        thread->give(c, start);
    } else {
        toSystem(start, bytes);
    }
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
    buffer->end = nullptr;
    countBuffer(thread, 1);
    return buffer;
}

[[gnu::hot]] void freeBuffer(Buffer *buffer) {
    if (buffer->end) [[unlikely]]
        buffer->end(dataOf(buffer));
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

static std::atomic<int> parallelLoops{0};

void countParallelLoops(int change) { parallelLoops.fetch_add(change, std::memory_order_relaxed); }

// One owner more or less; the number there was. Only iterations of a parallel loop may share a
// buffer among threads: otherwise no atomic read-modify-write is needed, which takes ten times as
// long. Of what is never freed nothing is written, as threads share it.
static int64_t changeOwners(Buffer *buffer, int64_t change) {
    std::atomic_ref owners(buffer->owners);
    const int64_t before = owners.load(std::memory_order_relaxed);
    if (before >= foreverOwned)
        return before;
    if (parallelLoops.load(std::memory_order_relaxed) != 0) [[unlikely]]
        return owners.fetch_add(change, std::memory_order_relaxed);
    owners.store(before + change, std::memory_order_relaxed);
    return before;
}

extern "C" [[gnu::hot]] void sc_retain(uintptr_t token) {
    if (!(token & ownerArgument))
        changeOwners(headerOf(bufferOf(token)), 1);
}

extern "C" [[gnu::hot]] void sc_release(Context *ctx, uintptr_t token) {
    if (token & ownerArgument)
        return;
    Buffer *buffer = headerOf(bufferOf(token));
    if (changeOwners(buffer, -1) != 1)
        return;
    unlink(ctx, buffer);
    freeBuffer(buffer);
}

[[gnu::hot]] void detach(Context *ctx, void *data) {
    Buffer *buffer = headerOf(data);
    unlink(ctx, buffer);
    buffer->next = buffer->previous = buffer; // a list of its own: containers may release it
}

void freeDetached(void *data) { freeBuffer(headerOf(data)); }

void *allocDetached(int64_t bytes) {
    Buffer *buffer = newBuffer(bytes);
    return buffer ? dataOf(buffer) : nullptr;
}

size_t bufferBytes(void *data) { return headerOf(data)->bytes; }

void callBeforeFree(void *data, void (*end)(void *data)) { headerOf(data)->end = end; }

bool isReleasingAll(const Context *ctx) { return ctx->isReleasingAll; }

void releaseAll(Context *ctx) {
    ctx->isReleasingAll = true;
    while (Buffer *buffer = ctx->live) {
        ctx->live = buffer->next;
        freeBuffer(buffer);
    }
    ctx->isReleasingAll = false;
}

MemoryUse memoryUse() { return {allocatedBytes.load(), peakBytes.load(), blocksMade.load()}; }

void dropKeptBlocks() {
    if (ThreadBlocks *thread = blocksOfThread())
        thread->clear();
    LargeBlocks &kept = large();
    std::lock_guard lock(kept.mutex);
    kept.dropDownTo(0);
    kept.peakUsed = kept.used;
    peakBytes.store(allocatedBytes.load());
}

int64_t liveAllocations() {
    int64_t sum = liveOfEndingThreads.load(std::memory_order_relaxed);
    for (const ThreadBlocks *thread = allThreads.load(); thread; thread = thread->next)
        sum += thread->live.load(std::memory_order_relaxed);
    return sum;
}

SymbolTable memorySymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_alloc>(),
        symbolOf<&sc_retain>(),
        symbolOf<&sc_release>(),
    };
    return table;
}

} // namespace shapecast::runtime
