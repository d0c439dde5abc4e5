// Kernels of one compiled function, loaded on a device.
#pragma once

#include "device/device.h"

#include <memory>

namespace shapecast::device {

struct KernelSource { // of the text of a module
    std::string name;
    unsigned threads[2] = {1, 1}; // of a block
    unsigned parameters = 0;      // of eight bytes each, or less at their start
    std::string shownAs = {};     // by profilers; empty: not as a range
};

struct Kernel {
    CUfunction function = nullptr;
    unsigned threads[2] = {1, 1}, parameters = 0;
    std::string range = {}; // a profiler's; empty: none listens
};

class Module {
public:
    // Null with the driver's words in `error`. The driver compiles the text, and caches what it
    // makes of it on disk.
    static std::shared_ptr<const Module> load(const Device &device, const std::string &ptx,
                                              const std::vector<KernelSource> &kernels,
                                              Error &error);
    Module(const Module &) = delete;
    ~Module();

    const Device &device;
    std::vector<Kernel> kernels;

private:
    explicit Module(const Device &device) : device(device) {}
    CUmodule handle = nullptr;
};

// Puts the kernel on the stream; `parameters` are its parameters' values, one per eight bytes.
// A kernel strides over its work, so that fewer blocks do; none are none to launch.
Error launch(const Kernel &kernel, CUstream stream, uint64_t blocksX, uint64_t blocksY,
             const int64_t *parameters);

} // namespace shapecast::device
