// The thread pool: see the header.
#include "runtime/threads.h"
#include "runtime/callbacks.h"
#include "runtime/memory.h"
#include "runtime/processor.h"
#include "runtime/symbols.h"

#include <alloca.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace shapecast::runtime {

// A parallel loop; on the stack of the thread that leads it.
struct Team {
    Part part;
    const int64_t *operands;
    int64_t count, chunk;
    std::atomic<int64_t> next = 0;
    std::atomic<bool> stopped = false; // the call must end
    int helpers = 0;                   // threads that the leader requested
    int joined = -1;                   // those that joined; -1: more may still join
    bool closed = false;               // no helper works on it, or ever will
};

namespace {

// In sixteenths of a nanosecond. Waking a thread takes some 5 to 50 microseconds.
std::atomic<int64_t> parallelWork = 60'000 * 16;
constexpr int chunksPerThread = 4; // so that a delayed thread delays the loop little
constexpr int64_t chunkUnit = 64;  // iterations: so that chunks do not share cache lines
constexpr int spinsBeforeSleep = 2000;
constexpr timespec timeBetweenPolls{0, 20'000'000};

// A counter that threads wait for: an event count on a futex.
class Signal {
public:
    int value() const { return number.load(std::memory_order_acquire); }
    void reset() { number.store(0, std::memory_order_relaxed); }
    void raise() {
        number.fetch_add(1);
        if (sleepers.load() > 0)
            syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
    }
    // Waits until it changes, or until the timeout: spins for some microseconds, then sleeps.
    void waitWhile(int old, const timespec *timeout) {
        for (int spin = 0; spin < spinsBeforeSleep; ++spin) {
            if (value() != old)
                return;
            pauseProcessor();
        }
        sleepers.fetch_add(1);
        syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, old, timeout, nullptr, 0);
        sleepers.fetch_sub(1);
    }

private:
    std::atomic<int> number = 0, sleepers = 0;
};

struct Pool {
    std::atomic<bool> isTaken = false;
    std::atomic<Team *> team = nullptr;
    std::atomic<int> seats = 0; // helpers that may still join the team
    Signal left;                // number of helpers that have joined the team and left it again
    Signal round;               // raised when there are seats
    int helpers = 0;            // threads started; written by the loop that has the pool
};

// Never destroyed: helpers sleep in it when the process ends. A forked child constructs a new one.
alignas(Pool) char storage[sizeof(Pool)];
Pool *pool = new (storage) Pool;
std::atomic<int> threads = 0; // 0: not known yet
std::atomic<bool> isCounted;  // `threads` is the number of processors, not a choice of the user's
thread_local Team *ledTeam = nullptr;

void takeChunks(Team &team, Context &ctx) {
    while (!team.stopped.load(std::memory_order_relaxed)) {
        const int64_t from = team.next.fetch_add(team.chunk, std::memory_order_relaxed);
        if (from >= team.count)
            return;
        team.part(&ctx, team.operands, from, std::min(from + team.chunk, team.count));
    }
}

void help(Team &team) {
    Context own;
    own.team = &team;
    own.minParallelWork = INT64_MAX; // nested loops are not parallel
    own.nonTemporalBytes = nonTemporalBytes();
    if (_setjmp(own.stop) == 0)
        takeChunks(team, own);
    if (own.live)
        releaseAll(&own);
}

bool takeSeat() {
    int free = pool->seats.load(std::memory_order_acquire);
    while (free > 0)
        if (pool->seats.compare_exchange_weak(free, free - 1, std::memory_order_acq_rel))
            return true;
    return false;
}

void *helper(void *) {
    for (;;) {
        const int round = pool->round.value();
        if (!takeSeat()) {
            pool->round.waitWhile(round, nullptr);
            continue;
        }
        help(*pool->team.load(std::memory_order_relaxed));
        pool->left.raise();
    }
    return nullptr;
}

// Signals are blocked: the program's threads handle them. False: no more threads can be started.
bool startHelper() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const bool started = pthread_create(&thread, nullptr, &helper, nullptr) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (started)
        pthread_detach(thread);
    return started;
}

void open(Team &team, int wanted) {
    while (pool->helpers < wanted && startHelper())
        ++pool->helpers;
    team.helpers = std::min(wanted, pool->helpers);
    ledTeam = &team;
    pool->left.reset();
    pool->team.store(&team, std::memory_order_relaxed);
    pool->seats.store(team.helpers, std::memory_order_release);
    pool->round.raise();
}

// Waits for the helpers that have joined; later ones find no seat. The leader polls meanwhile, if
// `polling` is given, and then this may not return.
void close(Team &team, Context *polling) {
    if (team.closed)
        return;
    if (team.joined < 0)
        team.joined = team.helpers - pool->seats.exchange(0, std::memory_order_acq_rel);
    // A signal handler that forks closes the team, too, and then this may be the child.
    for (int gone; !team.closed && (gone = pool->left.value()) < team.joined;) {
        pool->left.waitWhile(gone, &timeBetweenPolls);
        if (polling && gone == pool->left.value())
            sc_poll(polling);
    }
    team.closed = true;
    ledTeam = nullptr;
}

// The child has only this thread. If it is in a loop (a signal handler that forks), the helpers end
// that loop first.
void beforeFork() {
    if (ledTeam)
        close(*ledTeam, nullptr);
}
void inChild() { pool = new (storage) Pool; }

// CPU quota of the control group: "max 100000" or "150000 100000".
int quota() {
    std::ifstream groups("/proc/self/cgroup");
    std::string line, path;
    while (std::getline(groups, line))
        if (line.starts_with("0::"))
            path = line.substr(3);
    int limit = INT_MAX;
    for (;; path.resize(path.rfind('/'))) { // a group's limit holds for its subgroups
        std::ifstream limits("/sys/fs/cgroup" + path + "/cpu.max");
        double micros = 0, period = 0;
        if (limits >> micros >> period && period > 0)
            limit = std::min(limit, std::max(1, int(std::ceil(micros / period))));
        if (path.empty() || path.rfind('/') == std::string::npos)
            break;
    }
    std::ifstream first("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
        second("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    double micros = 0, period = 0;
    if (first >> micros && second >> period && micros > 0 && period > 0)
        limit = std::min(limit, std::max(1, int(std::ceil(micros / period))));
    return limit;
}

// Without digits: each worker that multiprocessing spawns has its own numbers of pipes in it.
std::string commandOf(const std::string &process) {
    std::ifstream file("/proc/" + process + "/cmdline");
    std::string text(std::istreambuf_iterator<char>(file), {});
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
}

// The processes of the pool of which this one is a worker; 1: it is in none. A worker is a fork of
// its parent, with its command line, or was spawned by multiprocessing; so are its siblings.
int workersOfPool() {
    const std::string parent = std::to_string(getppid()), own = commandOf("self");
    if (own.empty() ||
        (own != commandOf(parent) && own.find("--multiprocessing-fork") == std::string::npos))
        return 1;
    int workers = 0;
    std::error_code ignored; // the parent's threads end meanwhile, or the kernel lists no children
    for (const auto &thread :
         std::filesystem::directory_iterator("/proc/" + parent + "/task", ignored)) {
        std::ifstream children(thread.path() / "children");
        for (std::string child; children >> child;)
            workers += commandOf(child) == own;
    }
    return std::max(1, workers);
}

} // namespace

int usableProcessors() {
    cpu_set_t mask;
    const int allowed = sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 1;
    return std::clamp(std::min(allowed, quota()), 1, maxThreads);
}

// The child of a fork may be the worker of a pool.
static void countAgain() {
    if (isCounted)
        threads = 0;
}

int threadCount() {
    int count = threads.load(std::memory_order_relaxed);
    if (count == 0) {
        static const int handler = pthread_atfork(nullptr, nullptr, &countAgain);
        const int processors = usableProcessors();
        count = processors > 1 ? std::max(1, processors / workersOfPool()) : 1;
        int unknown = 0;
        if (threads.compare_exchange_strong(unknown, count))
            isCounted = handler == 0;
        else
            count = unknown;
    }
    return count;
}

void setThreadCount(int count) {
    isCounted = false;
    threads.store(count, std::memory_order_relaxed);
}

[[gnu::hot]] int64_t minParallelWork() {
    return threadCount() > 1 ? parallelWork.load(std::memory_order_relaxed) : INT64_MAX;
}
int64_t setMinParallelWork(int64_t work) { return parallelWork.exchange(work); }

// A part of the L2 cache: with half or twice as much nothing changes by more than 5 %.
static std::atomic<int64_t> stripBytes{256 * 1024};

int64_t setStripBytes(int64_t bytes) { return stripBytes.exchange(bytes); }

// Size of the first processor's L3 cache by sysfs, in bytes; 0: unknown. On some machines the C
// library adds up the L3 caches of all processors (384 MB for 32).
static int64_t sharedCacheBytes() {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    int64_t kilobytes = 0;
    return file >> kilobytes ? kilobytes * 1024 : 0;
}

static int64_t lastLevelCacheBytes() {
    constexpr int64_t assumedBytes = int64_t{32} << 20;
    int64_t cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (const int64_t shared = sharedCacheBytes(); shared > 0)
        cache = cache > 0 ? std::min(cache, shared) : shared;
    return std::max<int64_t>(cache > 0 ? cache : assumedBytes, assumedBytes / 2);
}
static std::atomic<int64_t> nonTemporalLimit = lastLevelCacheBytes();
[[gnu::hot]] int64_t nonTemporalBytes() { return nonTemporalLimit.load(std::memory_order_relaxed); }
int64_t setNonTemporalBytes(int64_t bytes) { return nonTemporalLimit.exchange(bytes); }

// With several threads there is only one strip: chunks of a strip would be too short.
extern "C" int64_t sc_strip_bytes(Context *ctx, const int64_t *) {
    return ctx->minParallelWork == INT64_MAX ? stripBytes.load(std::memory_order_relaxed)
                                             : int64_t{1} << 47;
}

bool isStopped(const Team &team) { return team.stopped.load(std::memory_order_relaxed); }

// Iterations of a chunk. With a minimum each thread has only one: the other loops of the nest run
// once per chunk, over a part of each row, say, and the shorter the slower.
static int64_t chunkOf(int64_t count, int workers, int64_t minChunk) {
    const int64_t chunk = minChunk > 1 ? (count + workers - 1) / workers
                                       : std::max<int64_t>(1, count / (workers * chunksPerThread));
    return chunk > chunkUnit ? (chunk + chunkUnit - 1) / chunkUnit * chunkUnit : chunk;
}

void parallel(Context *ctx, Part part, const int64_t *operands, int64_t count, int64_t minChunk) {
    static const int handlers = pthread_atfork(&beforeFork, nullptr, &inChild);
    const int wanted = int(std::min<int64_t>(threadCount(), count / minChunk)) - 1;
    // So that nested loops are not parallel.
    const int64_t minWork = std::exchange(ctx->minParallelWork, INT64_MAX);
    if (handlers != 0 || wanted < 1 || pool->isTaken.exchange(true, std::memory_order_acquire)) {
        part(ctx, operands, 0, count);
        ctx->minParallelWork = minWork;
        return;
    }
    Team team{part, operands, count, 0};
    team.chunk = chunkOf(count, wanted + 1, minChunk);
    jmp_buf stop; // of the entry's caller: the poller must jump here first
    std::memcpy(&stop, &ctx->stop, sizeof stop);
    countParallelLoops(1);
    open(team, wanted);
    if (_setjmp(ctx->stop) == 0) {
        takeChunks(team, *ctx);
        close(team, ctx);
    } else {
        team.stopped = true;
        close(team, nullptr);
    }
    countParallelLoops(-1);
    std::memcpy(&ctx->stop, &stop, sizeof stop);
    ctx->minParallelWork = minWork;
    pool->isTaken.store(false, std::memory_order_release);
    if (team.stopped)
        _longjmp(ctx->stop, 1);
}

namespace {

struct Tree {
    ReducePart part;
    const int64_t *operands;
    int64_t count, unit, width;
    int depth;
    int64_t *values; // of the nodes at that depth, from left to right
};

void reduceNodes(Context *ctx, const int64_t *operands, int64_t from, int64_t to) {
    const Tree &tree = *reinterpret_cast<const Tree *>(operands);
    for (int64_t node = from; node < to; ++node) {
        int64_t begin = 0, size = tree.count;
        for (int level = tree.depth; level-- > 0;) {
            const int64_t left = size / 2 & -tree.unit;
            const bool isRight = node >> level & 1;
            begin += isRight ? left : 0;
            size = isRight ? size - left : left;
        }
        tree.part(ctx, tree.operands, begin, begin + size, tree.values + node * tree.width);
    }
}

} // namespace

extern "C" void sc_parallel_reduce(Context *ctx, ReducePart part, const int64_t *operands,
                                   int64_t count, CombineParts combine, int64_t unit,
                                   int64_t *results, int64_t width) {
    constexpr int64_t minNodeCount = 256, maxNodes = 256;
    Tree tree{part, operands, count, unit, width, 0, nullptr};
    int64_t nodes = 1;
    for (; nodes < chunksPerThread * threadCount() && nodes < maxNodes &&
           count / nodes >= 2 * minNodeCount;
         nodes *= 2)
        ++tree.depth;
    // Not on the heap: the poller may jump out of this frame.
    tree.values = static_cast<int64_t *>(alloca(size_t(nodes * width) * sizeof(int64_t)));
    parallel(ctx, &reduceNodes, reinterpret_cast<const int64_t *>(&tree), nodes);
    for (int64_t step = 1; step < nodes; step *= 2)
        for (int64_t node = 0; node < nodes; node += 2 * step)
            combine(tree.values + node * width, tree.values + (node + step) * width);
    std::copy_n(tree.values, width, results);
}

namespace {

struct Loop {
    LoopPart part;
    const int64_t *operands;
    std::atomic<int64_t> failed; // the first iteration of the first chunk that failed
    std::atomic_flag lock;       // of `failed` and `error` together
    ErrorRecord error;
};

// Chunks are handed out in order: those before one that failed are still executed.
void runLoopChunk(Context *ctx, const int64_t *operands, int64_t from, int64_t to) {
    Loop &loop = *reinterpret_cast<Loop *>(const_cast<int64_t *>(operands));
    if (from > loop.failed.load(std::memory_order_relaxed) ||
        loop.part(ctx, loop.operands, from, to) == 0)
        return;
    while (loop.lock.test_and_set(std::memory_order_acquire))
        pauseProcessor();
    if (from < loop.failed) {
        loop.failed = from;
        loop.error = ctx->error;
    }
    loop.lock.clear(std::memory_order_release);
}

} // namespace

extern "C" int32_t sc_parallel_loop(Context *ctx, LoopPart part, const int64_t *operands,
                                    int64_t count) {
    Loop loop{part, operands, {INT64_MAX}, {}, {}};
    parallel(ctx, &runLoopChunk, reinterpret_cast<const int64_t *>(&loop), count);
    if (loop.failed == INT64_MAX)
        return 0;
    ctx->error = loop.error;
    return 1;
}

//===-- Parallel loop nests, by their number of operands

namespace {

struct Nest {
    void *code;
    const int64_t *operands;
};

template <size_t k> using Operand = int64_t;

template <class Numbers> struct ParallelNest;
template <size_t... k> struct ParallelNest<std::index_sequence<k...>> {
    using Code = void (*)(Operand<k>..., Context *ctx, int64_t from, int64_t to);

    static void part(Context *ctx, const int64_t *operands, int64_t from, int64_t to) {
        const Nest &nest = *reinterpret_cast<const Nest *>(operands);
        reinterpret_cast<Code>(nest.code)(nest.operands[k]..., ctx, from, to);
    }

    static void call(Context *ctx, void *code, int64_t count, int64_t minChunk,
                     Operand<k>... values) {
        const int64_t operands[] = {values..., 0};
        const Nest nest{code, operands};
        parallel(ctx, &part, reinterpret_cast<const int64_t *>(&nest), count, minChunk);
    }
};

struct Symbols {
    std::array<std::string, maxNestOperands + 1> names;
    std::vector<RuntimeSymbol> all{
        symbolOf<&sc_parallel_loop>(),
        symbolOf<&sc_parallel_reduce>(),
        symbolOf<&sc_strip_bytes>(),
    };

    Symbols() { addParallelNests(std::make_index_sequence<maxNestOperands + 1>()); }
    template <size_t... n> void addParallelNests(std::index_sequence<n...>) {
        ((names[n] = "sc_parallel_nest_" + std::to_string(n)), ...);
        (all.push_back(
             symbolOf(names[n].c_str(), &ParallelNest<std::make_index_sequence<n>>::call)),
         ...);
    }
};

} // namespace

SymbolTable threadsSymbols() {
    static const Symbols *symbols = new Symbols;
    return symbols->all;
}

} // namespace shapecast::runtime
