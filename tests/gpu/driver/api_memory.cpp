// The driver's interface: memory and copies.
#include "driver.h"

using namespace driver;

namespace {

void *pointerOf(CUdeviceptr address) { return reinterpret_cast<void *>(address); }

CUresult allocate(Driver &driver, CUdeviceptr *address, size_t bytes) {
    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    int device = driver.current()->device;
    if (driver.memory.liveBytes(device) + bytes > driver.memoryBytes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *address = driver.memory.allocate(bytes, device, Allocation::Device);
    driver.counters.allocations += 1;
    driver.counters.allocatedBytes += bytes;
    return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

bool isPinned(Driver &driver, const void *host) {
    Allocation *found = driver.memory.find(reinterpret_cast<uint64_t>(host));
    return found && found->kind == Allocation::Pinned;
}

void checkCopied(Driver &driver, CUdeviceptr address, size_t bytes) {
    if (bytes && !driver.memory.holds(address, bytes))
        throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS,
                    "a copy of " + std::to_string(bytes) +
                        " bytes from or to memory of a device that is not one live allocation");
}

// Memory of a device on either side; what is pageable is read at once and written only by copies
// that wait.
struct Copy {
    CUdeviceptr to, from;
    size_t bytes;
    bool toDevice, fromDevice;
};
CUresult copy(Driver &driver, const Copy &of, CUstream_st *stream, bool isAsynchronous) {
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!of.bytes)
        return CUDA_SUCCESS;
    if ((of.toDevice && !driver.memory.holds(of.to, of.bytes)) ||
        (of.fromDevice && !driver.memory.holds(of.from, of.bytes)))
        return CUDA_ERROR_INVALID_VALUE;
    bool waits = !isAsynchronous || (!of.toDevice && !isPinned(driver, pointerOf(of.to)));
    if (waits && stream->capture)
        return stream->capture->isValid = false, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    std::shared_ptr<std::vector<uint8_t>> staged;
    if (!of.fromDevice && !isPinned(driver, pointerOf(of.from))) {
        auto *bytes = static_cast<uint8_t *>(pointerOf(of.from));
        staged = std::make_shared<std::vector<uint8_t>>(bytes, bytes + of.bytes);
    }
    driver.enqueue(*stream, [&driver, of, staged] {
        if (of.toDevice)
            checkCopied(driver, of.to, of.bytes);
        if (of.fromDevice)
            checkCopied(driver, of.from, of.bytes);
        std::memmove(pointerOf(of.to), staged ? staged->data() : pointerOf(of.from), of.bytes);
        (of.toDevice && of.fromDevice ? driver.counters.bytesOnDevice
         : of.toDevice                ? driver.counters.bytesToDevice
                                      : driver.counters.bytesToHost) += of.bytes;
    });
    if (waits)
        driver.run(*stream, stream->lastNumber);
    return CUDA_SUCCESS;
}
CUresult copyNow(const Copy &of) {
    return guarded(
        true, [&](Driver &driver) { return copy(driver, of, driver.current()->legacy, false); });
}
CUresult copyLater(const Copy &of, CUstream stream) {
    return guarded(true,
                   [&](Driver &driver) { return copy(driver, of, driver.stream(stream), true); });
}
CUdeviceptr addressOf(const void *host) { return reinterpret_cast<CUdeviceptr>(host); }

// cuMemcpy: what an address is of is found out.
Copy unified(Driver &driver, CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    auto isDevice = [&](CUdeviceptr address) {
        Allocation *found = driver.memory.find(address);
        return found && found->kind != Allocation::Pinned;
    };
    return {to, from, bytes, isDevice(to), isDevice(from)};
}

template <class T>
CUresult fill(Driver &driver, CUdeviceptr to, T value, size_t count, CUstream_st *stream,
              bool isAsynchronous) {
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (count && (!driver.memory.holds(to, count * sizeof(T)) || to % sizeof(T)))
        return CUDA_ERROR_INVALID_VALUE;
    driver.enqueue(*stream, [&driver, to, value, count] {
        checkCopied(driver, to, count * sizeof(T));
        std::fill_n(static_cast<T *>(pointerOf(to)), count, value);
        driver.counters.bytesOnDevice += count * sizeof(T);
    });
    if (!isAsynchronous && !stream->capture)
        driver.run(*stream, stream->lastNumber);
    return CUDA_SUCCESS;
}

} // namespace

//===-- Allocation

DRIVER_API cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
    return guarded(true, [&](Driver &driver) { return allocate(driver, address, bytes); });
}
DRIVER_API cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
    return guarded(true, [&](Driver &driver) {
        return driver.stream(stream) ? allocate(driver, address, bytes) : CUDA_ERROR_INVALID_HANDLE;
    });
}
/// Work that is not done and uses the memory then finds it freed: nothing promises that this waits.
DRIVER_API cuMemFree_v2(CUdeviceptr address) {
    return guarded(true, [&](Driver &driver) {
        return !address || driver.memory.release(address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    });
}
DRIVER_API cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on)
            return CUDA_ERROR_INVALID_HANDLE;
        if (!driver.memory.holds(address, 1))
            return CUDA_ERROR_INVALID_VALUE;
        driver.enqueue(*on, [&driver, address] {
            if (!driver.memory.release(address))
                throw Fault(CUDA_ERROR_INVALID_VALUE, "memory is freed twice");
        });
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuMemHostAlloc(void **host, size_t bytes, unsigned) {
    return guarded(true, [&](Driver &driver) {
        if (!bytes)
            return CUDA_ERROR_INVALID_VALUE;
        *host =
            pointerOf(driver.memory.allocate(bytes, driver.current()->device, Allocation::Pinned));
        return *host ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    });
}
DRIVER_API cuMemAllocHost_v2(void **host, size_t bytes) { return cuMemHostAlloc(host, bytes, 0); }
DRIVER_API cuMemFreeHost(void *host) {
    return guarded(true, [&](Driver &driver) {
        return isPinned(driver, host) && driver.memory.release(addressOf(host))
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    });
}
DRIVER_API cuMemHostRegister_v2(void *host, size_t bytes, unsigned) {
    return guarded(true, [&](Driver &driver) {
        return driver.memory.adopt(addressOf(host), bytes, driver.current()->device)
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    });
}
DRIVER_API cuMemHostUnregister(void *host) {
    return guarded(true, [&](Driver &driver) {
        return isPinned(driver, host) && driver.memory.release(addressOf(host))
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    });
}
DRIVER_API cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host, unsigned) {
    return guarded(true, [&](Driver &driver) {
        if (!isPinned(driver, host))
            return CUDA_ERROR_INVALID_VALUE;
        return *address = addressOf(host), CUDA_SUCCESS;
    });
}
DRIVER_API cuMemGetInfo_v2(size_t *available, size_t *total) {
    return guarded(true, [&](Driver &driver) {
        *total = driver.memoryBytes;
        *available = driver.memoryBytes - driver.memory.liveBytes(driver.current()->device);
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    return guarded(false, [&](Driver &driver) {
        return *pool = reinterpret_cast<CUmemoryPool>(&driver.contexts.at(device)), CUDA_SUCCESS;
    });
}
DRIVER_API cuMemPoolSetAttribute(CUmemoryPool, int, void *) { return CUDA_SUCCESS; }

DRIVER_API cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address) {
    return guarded(true, [&](Driver &driver) {
        Allocation *found = driver.memory.find(address);
        if (!found || found->isFreed)
            return CUDA_ERROR_INVALID_VALUE;
        switch (attribute) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
            *static_cast<CUcontext *>(value) = &driver.contexts[found->device];
            break;
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            *static_cast<unsigned *>(value) =
                found->kind == Allocation::Pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
            break;
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
            *static_cast<CUdeviceptr *>(value) = address;
            break;
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            if (found->kind != Allocation::Pinned)
                return CUDA_ERROR_INVALID_VALUE;
            *static_cast<void **>(value) = pointerOf(address);
            break;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            *static_cast<int *>(value) = found->device;
            break;
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
            *static_cast<CUdeviceptr *>(value) = found->base;
            break;
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
            *static_cast<size_t *>(value) = found->bytes;
            break;
        default:
            return CUDA_ERROR_NOT_SUPPORTED;
        }
        return CUDA_SUCCESS;
    });
}

//===-- Copies

DRIVER_API cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
    return copyNow({to, addressOf(from), bytes, true, false});
}
DRIVER_API cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
    return copyNow({addressOf(to), from, bytes, false, true});
}
DRIVER_API cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return copyNow({to, from, bytes, true, true});
}
DRIVER_API cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    return copyLater({to, addressOf(from), bytes, true, false}, stream);
}
DRIVER_API cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return copyLater({addressOf(to), from, bytes, false, true}, stream);
}
DRIVER_API cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return copyLater({to, from, bytes, true, true}, stream);
}
DRIVER_API cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes,
                             CUstream stream) {
    return copyLater({to, from, bytes, true, true}, stream);
}
DRIVER_API cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return copyNow(unified(Driver::get(), to, from, bytes));
}
DRIVER_API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return copyLater(unified(Driver::get(), to, from, bytes), stream);
}
DRIVER_API cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
    return guarded(true, [&](Driver &driver) {
        return fill<uint8_t>(driver, to, value, count, driver.current()->legacy, false);
    });
}
DRIVER_API cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
    return guarded(true, [&](Driver &driver) {
        return fill<uint32_t>(driver, to, value, count, driver.current()->legacy, false);
    });
}
DRIVER_API cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
    return guarded(true, [&](Driver &driver) {
        return fill<uint8_t>(driver, to, value, count, driver.stream(stream), true);
    });
}
DRIVER_API cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
    return guarded(true, [&](Driver &driver) {
        return fill<uint32_t>(driver, to, value, count, driver.stream(stream), true);
    });
}
