// Cancellation of compilations, and the large stack: see the header.
#include "support/progress.h"

#include "llvm/Support/thread.h"

#include <condition_variable>
#include <mutex>

namespace shapecast {

using Clock = std::chrono::steady_clock;

static constexpr auto pollInterval = std::chrono::milliseconds(50);
static constexpr uint32_t callsPerClockRead = 64;    // a power of two
static constexpr unsigned largeStackSize = 1u << 28; // only pages that are touched take memory

static Progress *current = nullptr; // under the compiler's lock
static thread_local bool hasLargeStack = false;

Progress::Progress(llvm::function_ref<bool()> mayContinue)
    : mayContinue(mayContinue), outer(current) {
    current = this;
}
Progress::~Progress() { current = outer; }

bool Progress::poll() {
    lastPoll = Clock::now();
    if (!mayContinue())
        cancelled = true;
    return cancelled;
}

bool Progress::isCancelled() {
    Progress *now = current;
    if (!now || now->cancelled)
        return now != nullptr;
    if (now->isOnHelperThread || (++now->calls & (callsPerClockRead - 1)) != 0)
        return false;
    return Clock::now() - now->lastPoll >= pollInterval && now->poll();
}

bool Progress::isOnLargeStack() { return hasLargeStack; }

void Progress::onLargeStack(llvm::function_ref<void()> run) {
    Progress *now = current;
    if (now)
        now->isOnHelperThread = true;
    std::mutex mutex;
    std::condition_variable ended;
    bool hasEnded = false;
    llvm::thread runner(std::optional<unsigned>(largeStackSize), [&] {
        hasLargeStack = true;
        run();
        std::lock_guard lock(mutex);
        hasEnded = true;
        ended.notify_one();
    });
    for (std::unique_lock lock(mutex);
         !ended.wait_for(lock, pollInterval, [&] { return hasEnded; });) {
        lock.unlock();
        if (now && !now->cancelled)
            now->poll();
        lock.lock();
    }
    runner.join();
    if (now)
        now->isOnHelperThread = false;
}

} // namespace shapecast
