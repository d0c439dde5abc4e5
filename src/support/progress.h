// Cooperative cancellation of long compilations.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace shapecast {

// While one is alive, isCancelled() polls `mayContinue`. There is one compilation at a time.
class Progress {
public:
    explicit Progress(llvm::function_ref<bool()> mayContinue);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    // Whether the compilation must end without a result; once true, it stays so. Takes nanoseconds,
    // except every 50 ms, when it polls.
    static bool isCancelled();
    // Runs `run` in a helper thread with a stack of 256 MiB, while this thread polls for it.
    static void onLargeStack(llvm::function_ref<void()> run);
    static bool isOnLargeStack();

private:
    bool poll();

    llvm::function_ref<bool()> mayContinue;
    std::atomic<bool> cancelled{false}, isOnHelperThread{false};
    std::chrono::steady_clock::time_point lastPoll = std::chrono::steady_clock::now();
    uint32_t calls = 0;
    Progress *outer;
};

} // namespace shapecast
