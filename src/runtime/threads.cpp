// The pool of threads: see the header.
#include "runtime/threads.h"
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
#include <fstream>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace shapecast::runtime {

// Iterations from .. to - 1.

// A loop that is being shared; on the stack of the thread that leads it.
struct Team {
    Part part;
    const int64_t *operands;
    int64_t count, chunk;
    std::atomic<int64_t> next = 0;
    std::atomic<bool> stopped = false; // the call is to end
    int helpers = 0;                   // threads that the leader asked for
    int joined = -1;                   // and that came; -1: more may come
    bool closed = false;               // nobody else is at work, or ever will be
};

namespace {

// A sixteenth of a nanosecond each. Waking a thread takes some 5 to 50 microseconds.
std::atomic<int64_t> leastWork = 60'000 * 16;
constexpr int chunksPerThread = 4; // so that a thread that is held up holds up little
constexpr int64_t chunkUnit = 64;  // iterations: neighbours in memory do not share cache lines
constexpr int looksBeforeSleep = 2000;
constexpr timespec timeBetweenPolls{0, 20'000'000};

// A number that threads wait for.
class Signal {
public:
    int value() const { return number.load(std::memory_order_acquire); }
    void reset() { number.store(0, std::memory_order_relaxed); }
    void raise() {
        number.fetch_add(1);
        if (sleepers.load() > 0)
            syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
    }
    // Until it is another one, or for some time: looks for some microseconds, then sleeps.
    void waitWhile(int old, const timespec *most) {
        for (int look = 0; look < looksBeforeSleep; ++look) {
            if (value() != old)
                return;
            __builtin_ia32_pause();
        }
        sleepers.fetch_add(1);
        syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, old, most, nullptr, 0);
        sleepers.fetch_sub(1);
    }

private:
    std::atomic<int> number = 0, sleepers = 0;
};

struct Pool {
    std::atomic<bool> taken = false;
    std::atomic<Team *> team = nullptr;
    std::atomic<int> seats = 0; // helpers that may still join the team
    Signal left;                // helpers that have joined the team and left it again
    Signal round;               // another one when there are seats
    int helpers = 0;            // threads that were started, by who has taken the pool
};

// Never destroyed: helpers sleep in it when the process ends. A new one in a child after fork.
alignas(Pool) char storage[sizeof(Pool)];
Pool *pool = new (storage) Pool;
std::atomic<int> threads = 0; // 0: not asked for yet
thread_local Team *led = nullptr;

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
    own.share = INT64_MAX; // what is inside is not shared again
    own.stream = bytesToStream();
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

// Signals are for the threads of the program. False: there can be no more threads.
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
    led = &team;
    pool->left.reset();
    pool->team.store(&team, std::memory_order_relaxed);
    pool->seats.store(team.helpers, std::memory_order_release);
    pool->round.raise();
}

// Waits for the helpers that have joined; who comes later finds no seat. The leader asks the
// poller now and then, if it is given, and may not return then.
void close(Team &team, Context *polling) {
    if (team.closed)
        return;
    if (team.joined < 0)
        team.joined = team.helpers - pool->seats.exchange(0, std::memory_order_acq_rel);
    // A handler of signals that forks closes it too, and then this may be the child.
    for (int gone; !team.closed && (gone = pool->left.value()) < team.joined;) {
        pool->left.waitWhile(gone, &timeBetweenPolls);
        if (polling && gone == pool->left.value())
            sc_poll(polling);
    }
    team.closed = true;
    led = nullptr;
}

// The child has this thread only. Were it in the midst of a loop (a signal handler that forks), the
// helpers finish that loop before.
void beforeFork() {
    if (led)
        close(*led, nullptr);
}
void inChild() { pool = new (storage) Pool; }

// Of the control group: "max 100000" or "150000 100000".
int quota() {
    std::ifstream groups("/proc/self/cgroup");
    std::string line, path;
    while (std::getline(groups, line))
        if (line.starts_with("0::"))
            path = line.substr(3);
    int least = INT_MAX;
    for (;; path.resize(path.rfind('/'))) { // a group's limit holds for those in it
        std::ifstream limits("/sys/fs/cgroup" + path + "/cpu.max");
        double most = 0, period = 0;
        if (limits >> most >> period && period > 0)
            least = std::min(least, std::max(1, int(std::ceil(most / period))));
        if (path.empty() || path.rfind('/') == std::string::npos)
            break;
    }
    std::ifstream first("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
        second("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    double most = 0, period = 0;
    if (first >> most && second >> period && most > 0 && period > 0)
        least = std::min(least, std::max(1, int(std::ceil(most / period))));
    return least;
}

} // namespace

int usableProcessors() {
    cpu_set_t mask;
    const int allowed = sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 1;
    return std::clamp(std::min(allowed, quota()), 1, mostThreads);
}

int threadCount() {
    int count = threads.load(std::memory_order_relaxed);
    if (count == 0) {
        count = usableProcessors();
        int unknown = 0;
        if (!threads.compare_exchange_strong(unknown, count))
            count = unknown;
    }
    return count;
}

void setThreadCount(int count) { threads.store(count, std::memory_order_relaxed); }

[[gnu::hot]] int64_t workToShare() {
    return threadCount() > 1 ? leastWork.load(std::memory_order_relaxed) : INT64_MAX;
}
int64_t shareFrom(int64_t work) { return leastWork.exchange(work); }

// A part of the second-level cache: with half or twice as much nothing changes by more than 5 %.
static std::atomic<int64_t> bytesOfStrip{256 * 1024};

int64_t stripBytes(int64_t bytes) { return bytesOfStrip.exchange(bytes); }

// What the kernel says the first processor shares with its neighbours, in bytes; 0: it does not
// say. The C library counts what all processors of some machines have together (384 MB for 32).
static int64_t bytesOfSharedCache() {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    int64_t kilobytes = 0;
    return file >> kilobytes ? kilobytes * 1024 : 0;
}

static int64_t bytesOfLastCache() {
    constexpr int64_t usual = int64_t{32} << 20;
    int64_t cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (const int64_t shared = bytesOfSharedCache(); shared > 0)
        cache = cache > 0 ? std::min(cache, shared) : shared;
    return std::max<int64_t>(cache > 0 ? cache : usual, usual / 2);
}
static std::atomic<int64_t> leastStream = bytesOfLastCache();
[[gnu::hot]] int64_t bytesToStream() { return leastStream.load(std::memory_order_relaxed); }
int64_t streamFrom(int64_t bytes) { return leastStream.exchange(bytes); }

// Where threads share nests a strip is all there is: parts of one would be too short for them.
extern "C" int64_t sc_strip_bytes(Context *ctx, const int64_t *) {
    return ctx->share == INT64_MAX ? bytesOfStrip.load(std::memory_order_relaxed)
                                   : int64_t{1} << 47;
}

bool isStopped(const Team &team) { return team.stopped.load(std::memory_order_relaxed); }

// Iterations of a part. Each thread has one only where parts are to have at least so many: all
// other loops run for each of these, over pieces of rows, say, and the shorter the pieces the
// slower.
static int64_t chunkOf(int64_t count, int among, int64_t least) {
    const int64_t chunk = least > 1 ? (count + among - 1) / among
                                    : std::max<int64_t>(1, count / (among * chunksPerThread));
    return chunk > chunkUnit ? (chunk + chunkUnit - 1) / chunkUnit * chunkUnit : chunk;
}

void parallel(Context *ctx, Part part, const int64_t *operands, int64_t count, int64_t least) {
    static const int handlers = pthread_atfork(&beforeFork, nullptr, &inChild);
    const int wanted = int(std::min<int64_t>(threadCount(), count / least)) - 1;
    const int64_t share = std::exchange(ctx->share, INT64_MAX); // or a part would come here again
    if (handlers != 0 || wanted < 1 || pool->taken.exchange(true, std::memory_order_acquire)) {
        part(ctx, operands, 0, count);
        ctx->share = share;
        return;
    }
    Team team{part, operands, count, 0};
    team.chunk = chunkOf(count, wanted + 1, least);
    jmp_buf stop; // of who has called the entry: the poller is to come here first
    std::memcpy(&stop, &ctx->stop, sizeof stop);
    open(team, wanted);
    if (_setjmp(ctx->stop) == 0) {
        takeChunks(team, *ctx);
        close(team, ctx);
    } else {
        team.stopped = true;
        close(team, nullptr);
    }
    std::memcpy(&ctx->stop, &stop, sizeof stop);
    ctx->share = share;
    pool->taken.store(false, std::memory_order_release);
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
    constexpr int64_t leastNode = 256, mostNodes = 256;
    Tree tree{part, operands, count, unit, width, 0, nullptr};
    int64_t nodes = 1;
    for (; nodes < chunksPerThread * threadCount() && nodes < mostNodes &&
           count / nodes >= 2 * leastNode;
         nodes *= 2)
        ++tree.depth;
    // Not of the heap: the poller may leave this frame.
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
    std::atomic<int64_t> failed; // where the first part begins that failed
    std::atomic_flag isNoted;    // `failed` and `error` belong together
    ErrorRecord error;
};

// Parts are handed out in order: those before one that failed are done all the same.
void runTurns(Context *ctx, const int64_t *operands, int64_t from, int64_t to) {
    Loop &loop = *reinterpret_cast<Loop *>(const_cast<int64_t *>(operands));
    if (from > loop.failed.load(std::memory_order_relaxed) ||
        loop.part(ctx, loop.operands, from, to) == 0)
        return;
    while (loop.isNoted.test_and_set(std::memory_order_acquire))
        __builtin_ia32_pause();
    if (from < loop.failed) {
        loop.failed = from;
        loop.error = ctx->error;
    }
    loop.isNoted.clear(std::memory_order_release);
}

} // namespace

extern "C" int32_t sc_parallel_loop(Context *ctx, LoopPart part, const int64_t *operands,
                                    int64_t count) {
    Loop loop{part, operands, {INT64_MAX}, {}, {}};
    parallel(ctx, &runTurns, reinterpret_cast<const int64_t *>(&loop), count);
    if (loop.failed == INT64_MAX)
        return 0;
    ctx->error = loop.error;
    return 1;
}

//===-- Nests by their number of operands

namespace {

struct Nest {
    void *code;
    const int64_t *operands;
};

template <size_t k> using Operand = int64_t;

template <class Numbers> struct Share;
template <size_t... k> struct Share<std::index_sequence<k...>> {
    using Code = void (*)(Operand<k>..., Context *ctx, int64_t from, int64_t to);

    static void part(Context *ctx, const int64_t *operands, int64_t from, int64_t to) {
        const Nest &nest = *reinterpret_cast<const Nest *>(operands);
        reinterpret_cast<Code>(nest.code)(nest.operands[k]..., ctx, from, to);
    }

    static void call(Context *ctx, void *code, int64_t count, int64_t least, Operand<k>... given) {
        const int64_t operands[] = {given..., 0};
        const Nest nest{code, operands};
        parallel(ctx, &part, reinterpret_cast<const int64_t *>(&nest), count, least);
    }
};

struct Symbols {
    std::array<std::string, mostOperands + 1> names;
    std::vector<RuntimeSymbol> all{
        {"sc_parallel_loop", reinterpret_cast<void *>(&sc_parallel_loop)},
        {"sc_parallel_reduce", reinterpret_cast<void *>(&sc_parallel_reduce)},
        {"sc_strip_bytes", reinterpret_cast<void *>(&sc_strip_bytes)},
    };

    Symbols() { addShares(std::make_index_sequence<mostOperands + 1>()); }
    template <size_t... n> void addShares(std::index_sequence<n...>) {
        ((names[n] = "sc_share_" + std::to_string(n)), ...);
        (all.push_back({names[n].c_str(),
                        reinterpret_cast<void *>(&Share<std::make_index_sequence<n>>::call)}),
         ...);
    }
};

} // namespace

const RuntimeSymbol *threadSymbols(size_t *count) {
    static const Symbols *symbols = new Symbols;
    *count = symbols->all.size();
    return symbols->all.data();
}

} // namespace shapecast::runtime
