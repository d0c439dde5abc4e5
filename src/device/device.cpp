#include "device/device.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace shapecast::device {
namespace {

// Freed memory up to so much is kept by the driver's pool when the host waits, and more is
// returned.
constexpr uint64_t maxKeptBytes = uint64_t{1} << 30;
constexpr int releaseThreshold = 4; // CU_MEMPOOL_ATTR_RELEASE_THRESHOLD

Error failed(CUresult result) { return result == CUDA_SUCCESS ? Error() : textOf(result); }

int attribute(const Driver &cu, CUdevice device, CUdevice_attribute which) {
    int value = 0;
    cu.cuDeviceGetAttribute(&value, which, device);
    return value;
}

CUresult start(const Driver &cu, Device &device) {
    if (const CUresult result = cu.cuDeviceGet(&device.handle, device.ordinal))
        return result;
    char name[256] = {};
    cu.cuDeviceGetName(name, sizeof name - 1, device.handle);
    device.name = name;
    device.major = attribute(cu, device.handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    device.minor = attribute(cu, device.handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    device.multiprocessors = attribute(cu, device.handle, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    device.hasPools = attribute(cu, device.handle, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
    cu.cuDeviceTotalMem_v2(&device.memoryBytes, device.handle);
    return CUDA_SUCCESS;
}

// The primary context takes a second and some memory: only of devices that are used.
CUresult startContext(const Driver &cu, Device &device) {
    if (const CUresult result = cu.cuDevicePrimaryCtxRetain(&device.context, device.handle))
        return result;
    CUmemoryPool pool = nullptr;
    uint64_t kept = std::min<uint64_t>(maxKeptBytes, device.memoryBytes / 8);
    if (device.hasPools && cu.cuDeviceGetDefaultMemPool(&pool, device.handle) == CUDA_SUCCESS)
        cu.cuMemPoolSetAttribute(pool, releaseThreshold, &kept);
    return CUDA_SUCCESS;
}

struct Machine {
    std::mutex mutex;
    std::vector<Device> devices;
    bool isStarted = false;
};

Machine &machine() {
    static auto *one = new Machine; // never destroyed: arrays may outlive static destructors
    return *one;
}

Error startDevices(const Driver &cu, Machine &all) {
    int count = 0;
    if (const CUresult result = cu.cuDeviceGetCount(&count))
        return textOf(result);
    if (count == 0)
        return "the machine has no device that CUDA's driver knows";
    std::vector<Device> found(static_cast<size_t>(count));
    for (int k = 0; k < count; ++k) {
        found[size_t(k)].ordinal = k;
        if (const CUresult result = start(cu, found[size_t(k)]))
            return "cuda:" + std::to_string(k) + ": " + textOf(result);
    }
    all.devices = std::move(found);
    all.isStarted = true;
    return "";
}

} // namespace

std::string Device::architecture() const {
    const int version = 10 * major + minor;
    return "sm_" + std::to_string(std::min(version, 80));
}

const std::vector<Device> *devices(Error &error) {
    const Driver *cu = openDriver(error);
    if (!cu)
        return nullptr;
    Machine &all = machine();
    std::lock_guard lock(all.mutex);
    if (!all.isStarted)
        error = startDevices(*cu, all);
    return error.empty() ? &all.devices : nullptr;
}

const Device *deviceAt(int ordinal, Error &error) {
    const std::vector<Device> *all = devices(error);
    if (!all)
        return nullptr;
    if (ordinal < 0 || size_t(ordinal) >= all->size()) {
        error = "there is no cuda:" + std::to_string(ordinal) + ": the machine has " +
                (all->size() == 1 ? "cuda:0" : std::to_string(all->size()) + " devices");
        return nullptr;
    }
    std::lock_guard lock(machine().mutex);
    Device &device = machine().devices[size_t(ordinal)];
    if (!device.context)
        error = failed(startContext(driver(), device));
    return error.empty() ? &device : nullptr;
}

Error allocate(const Device &device, size_t bytes, CUstream stream, CUdeviceptr &address) {
    address = 0;
    if (bytes == 0)
        return "";
    return failed(device.hasPools ? driver().cuMemAllocAsync(&address, bytes, stream)
                                  : driver().cuMemAlloc_v2(&address, bytes));
}

// A failure has nobody to be told: the context is gone, at the end of the process.
void release(const Device &device, CUdeviceptr address, CUstream stream) {
    if (address && device.hasPools)
        driver().cuMemFreeAsync(address, stream);
    else if (address)
        driver().cuMemFree_v2(address);
}

Error copyToDevice(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    return bytes ? failed(driver().cuMemcpyHtoDAsync_v2(to, from, bytes, stream)) : "";
}

Error copyToHost(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return bytes ? failed(driver().cuMemcpyDtoHAsync_v2(to, from, bytes, stream)) : "";
}

Error copyOnDevice(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return bytes ? failed(driver().cuMemcpyDtoDAsync_v2(to, from, bytes, stream)) : "";
}

Error waitForStream(CUstream stream, CUstream other) {
    CUevent event = nullptr;
    if (const CUresult result = driver().cuEventCreate(&event, CU_EVENT_DISABLE_TIMING))
        return textOf(result);
    CUresult result = driver().cuEventRecord(event, other);
    if (result == CUDA_SUCCESS)
        result = driver().cuStreamWaitEvent(stream, event, 0);
    driver().cuEventDestroy_v2(event); // after the wait, says the driver
    return failed(result);
}

bool isDone(CUstream stream, Error &error) {
    const CUresult result = driver().cuStreamQuery(stream);
    if (result != CUDA_ERROR_NOT_READY)
        error = failed(result);
    return result != CUDA_ERROR_NOT_READY;
}

Error synchronize(CUstream stream) { return failed(driver().cuStreamSynchronize(stream)); }

// Short work is waited for by asking again at once, since threads sleep for 50 us at least.
Error waitFor(CUstream stream, void (*poll)(void *), void *of) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    Error error;
    while (!isDone(stream, error)) {
        const auto waited = Clock::now() - start;
        if (waited < std::chrono::microseconds(200))
            continue;
        poll(of);
        std::this_thread::sleep_for(
            std::min<Clock::duration>(waited / 8, std::chrono::milliseconds(1)));
    }
    return error;
}

} // namespace shapecast::device
