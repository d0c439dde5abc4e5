// A compilation that takes long asks from time to time whether it is to go on.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace shapecast {

// While one lives, stops() asks `goesOn` every now and then. Compilations are one at a time.
class Progress {
public:
    explicit Progress(llvm::function_ref<bool()> goesOn);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    // Whether the compilation is to end without a result; once true, always. Takes nanoseconds but
    // every 50 ms.
    static bool stops();
    // Runs it on a stack of 256 MiB, of a thread of its own, while this one asks in its place.
    static void onLargeStack(llvm::function_ref<void()> run);
    static bool isOnLargeStack();

private:
    bool ask();

    llvm::function_ref<bool()> goesOn;
    std::atomic<bool> stopped{false}, isElsewhere{false};
    std::chrono::steady_clock::time_point asked = std::chrono::steady_clock::now();
    uint32_t calls = 0;
    Progress *before;
};

} // namespace shapecast
