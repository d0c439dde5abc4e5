// Kernels of one compiled function, loaded on a device.
#pragma once

#include "device/device.h"

#include <memory>
#include <optional>

namespace shapecast::device {

struct KernelSource { // of the text of a module
    std::string name;
    unsigned parameters = 0;  // of eight bytes each, or less at their start
    std::string shownAs = {}; // by profilers; empty: not as a range
};

struct Kernel {
    CUfunction function = nullptr;
    unsigned parameters = 0;
    std::string range = {}; // a profiler's; empty: none listens
};

struct Grid { // along x and y
    uint64_t blocks[2];
    unsigned threads[2]; // of a block
};

// Where the machine code of kernels is kept between processes.
class ImageStore {
public:
    virtual ~ImageStore() = default;
    // `key` names all that the code depends on.
    virtual std::optional<std::string> find(const std::string &key) = 0;
    virtual void drop(const std::string &key) = 0; // the driver refuses it
    virtual void keep(const std::string &key, const std::string &image) = 0;
};

class Module {
public:
    // Null with the driver's words in `error`. The driver compiles the text, which takes tens of
    // milliseconds, unless `store` (which may be null) has the code.
    static std::shared_ptr<const Module> load(const Device &device, const std::string &ptx,
                                              const std::vector<KernelSource> &kernels,
                                              ImageStore *store, Error &error);
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
Error launch(const Kernel &kernel, CUstream stream, const Grid &grid, const int64_t *parameters);

} // namespace shapecast::device
