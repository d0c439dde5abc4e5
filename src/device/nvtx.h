// Ranges for profilers, by the protocol of NVTX 3: a profiler names its library in the environment
// variable NVTX_INJECTION64_PATH, and that library puts in the functions that it wants to be
// called. Nothing of NVTX is linked, and without a profiler nothing is opened.
#pragma once

namespace shapecast::device {

// Whether a profiler listens: asked when kernels are loaded. The library is opened at the first
// call.
bool isProfiled();

// What the thread does while this lives is shown under the name, in the domain "shapecast", with
// the kernels that it launches. Null: no range.
class ProfilerRange {
public:
    explicit ProfilerRange(const char *name) : isOpen(name && push(name)) {}
    ProfilerRange(const ProfilerRange &) = delete;
    ~ProfilerRange() {
        if (isOpen)
            pop();
    }

private:
    static bool push(const char *name);
    static void pop();
    bool isOpen;
};

} // namespace shapecast::device
