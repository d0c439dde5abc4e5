// Devices: their contexts, memory and streams. Free of Python and MLIR.
//
// Functions that may fail return an error: empty, or the driver's text. Work is asynchronous: it is
// done in the order of its stream, and the host goes on; waitFor() waits.
#pragma once

#include "device/driver.h"

#include <string>
#include <vector>

namespace shapecast::device {

using Error = std::string; // empty: none

// The stream that everything else on the device waits for, and that waits for everything else:
// CuPy's and PyTorch's default, too.
inline const CUstream legacyStream = reinterpret_cast<CUstream>(CU_STREAM_LEGACY);

struct Device {
    int ordinal = 0;
    CUdevice handle = 0;
    CUcontext context = nullptr; // the primary one, which all libraries share
    std::string name;
    int major = 0, minor = 0, multiprocessors = 0;
    size_t memoryBytes = 0;
    bool hasPools = false; // stream-ordered allocation

    std::string text() const { return "cuda:" + std::to_string(ordinal); }
    // The architecture that kernels are compiled for: one that the device runs, and of the oldest
    // PTX that has what we use, so that every driver that knows the device loads it.
    std::string architecture() const;
};

// All devices of the machine, started at the first call. Null with the reason in `error`.
const std::vector<Device> *devices(Error &error);
// One of them, or null with the reason in `error`.
const Device *deviceAt(int ordinal, Error &error);

// Makes the device's context the thread's own for a scope.
class CurrentContext {
public:
    explicit CurrentContext(const Device &device) { driver().cuCtxPushCurrent_v2(device.context); }
    CurrentContext(const CurrentContext &) = delete;
    ~CurrentContext() {
        CUcontext popped;
        driver().cuCtxPopCurrent_v2(&popped);
    }
};

// The functions below need the device's context.

// Memory that may be used, and freed, in the order of the stream. No bytes are no memory: 0.
Error allocate(const Device &device, size_t bytes, CUstream stream, CUdeviceptr &address);
void release(const Device &device, CUdeviceptr address, CUstream stream);
Error copyToDevice(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
Error copyToHost(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
Error copyOnDevice(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
// Work of `stream` from now on waits for what is on `other` now.
Error waitForStream(CUstream stream, CUstream other);
// Whether all work of the stream is done; an error of that work is in `error`.
bool isDone(CUstream stream, Error &error);
Error synchronize(CUstream stream); // waits for it
// The same. `poll` is called from time to time; it may leave by an exception or longjmp.
Error waitFor(CUstream stream, void (*poll)(void *), void *of);

} // namespace shapecast::device
