// Asks whether a compilation is to go on.
#include "support/progress.h"

#include "llvm/Support/thread.h"

#include <condition_variable>
#include <mutex>

namespace shapecast {

using Clock = std::chrono::steady_clock;

static constexpr auto betweenQuestions = std::chrono::milliseconds(50);
static constexpr uint32_t callsBetweenLooks = 64; // at the clock: a power of two
static constexpr unsigned largeStack = 1u << 28;  // of which the pages that are used count

static Progress *current = nullptr; // under the compiler's lock
static thread_local bool hasLargeStack = false;

Progress::Progress(llvm::function_ref<bool()> goesOn) : goesOn(goesOn), before(current) {
    current = this;
}
Progress::~Progress() { current = before; }

bool Progress::ask() {
    asked = Clock::now();
    if (!goesOn())
        stopped = true;
    return stopped;
}

bool Progress::stops() {
    Progress *now = current;
    if (!now || now->stopped)
        return now != nullptr;
    if (now->isElsewhere || (++now->calls & (callsBetweenLooks - 1)) != 0)
        return false;
    return Clock::now() - now->asked >= betweenQuestions && now->ask();
}

bool Progress::isOnLargeStack() { return hasLargeStack; }

void Progress::onLargeStack(llvm::function_ref<void()> run) {
    Progress *now = current;
    if (now)
        now->isElsewhere = true;
    std::mutex mutex;
    std::condition_variable ended;
    bool hasEnded = false;
    llvm::thread runner(std::optional<unsigned>(largeStack), [&] {
        hasLargeStack = true;
        run();
        std::lock_guard lock(mutex);
        hasEnded = true;
        ended.notify_one();
    });
    for (std::unique_lock lock(mutex);
         !ended.wait_for(lock, betweenQuestions, [&] { return hasEnded; });) {
        lock.unlock();
        if (now && !now->stopped)
            now->ask();
        lock.lock();
    }
    runner.join();
    if (now)
        now->isElsewhere = false;
}

} // namespace shapecast
