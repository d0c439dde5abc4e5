// The driver's interface: initialisation, errors, devices, contexts and addresses of functions.
#include "driver.h"

#include <cstdlib>

#include <dlfcn.h>

using namespace driver;

DRIVER_API cuInit(unsigned flags) {
    Driver &driver = Driver::get();
    std::lock_guard lock(driver.mutex);
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (driver.isInitialised && driver.pid != getpid())
        return CUDA_ERROR_NOT_INITIALIZED;
    driver.isInitialised = true;
    driver.pid = getpid();
    return driver.contexts.empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}
DRIVER_API cuDriverGetVersion(int *version) {
    const char *given = std::getenv("SHAPECAST_DRIVER_VERSION");
    *version = given ? std::atoi(given) : 12040;
    return CUDA_SUCCESS;
}

namespace {

struct Text {
    CUresult code;
    const char *name, *description;
};
constexpr Text texts[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, "CUDA_ERROR_ILLEGAL_INSTRUCTION",
     "an illegal instruction was encountered"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};
const Text *textOf(CUresult code) {
    for (const Text &one : texts)
        if (one.code == code)
            return &one;
    return nullptr;
}

} // namespace

DRIVER_API cuGetErrorName(CUresult code, const char **name) {
    const Text *found = textOf(code);
    *name = found ? found->name : nullptr;
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
DRIVER_API cuGetErrorString(CUresult code, const char **text) {
    const Text *found = textOf(code);
    *text = found ? found->description : nullptr;
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

//===-- Devices: two multiprocessors of an sm_80

DRIVER_API cuDeviceGetCount(int *count) {
    return guarded(false,
                   [&](Driver &driver) { return *count = driver.contexts.size(), CUDA_SUCCESS; });
}
DRIVER_API cuDeviceGet(CUdevice *device, int ordinal) {
    return guarded(false, [&](Driver &driver) {
        if (ordinal < 0 || size_t(ordinal) >= driver.contexts.size())
            return CUDA_ERROR_INVALID_DEVICE;
        return *device = ordinal, CUDA_SUCCESS;
    });
}
DRIVER_API cuDeviceGetName(char *name, int length, CUdevice device) {
    return guarded(false, [&](Driver &driver) {
        if (size_t(device) >= driver.contexts.size())
            return CUDA_ERROR_INVALID_DEVICE;
        std::snprintf(name, length, "Shapecast's test device %d", device);
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
    *uuid = {};
    uuid->bytes[0] = 's', uuid->bytes[15] = static_cast<char>(device);
    return CUDA_SUCCESS;
}
DRIVER_API cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
    return guarded(false,
                   [&](Driver &driver) { return *bytes = driver.memoryBytes, CUDA_SUCCESS; });
}
DRIVER_API cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    static const std::map<int, int> values = {
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, INT32_MAX},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1'000'000},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 2},
        {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1'000'000},
        {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 512},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 4 << 20},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
        {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 8},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 167936},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 166912},
        {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1}};
    return guarded(false, [&](Driver &driver) {
        if (size_t(device) >= driver.contexts.size())
            return CUDA_ERROR_INVALID_DEVICE;
        auto found = values.find(attribute);
        *value = found == values.end() ? 0 : found->second;
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuDeviceCanAccessPeer(int *can, CUdevice, CUdevice) { return *can = 0, CUDA_SUCCESS; }

//===-- Contexts: the primary one of each device

DRIVER_API cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    return guarded(false, [&](Driver &driver) {
        if (device < 0 || size_t(device) >= driver.contexts.size())
            return CUDA_ERROR_INVALID_DEVICE;
        *context = &driver.contexts[device];
        (*context)->references += 1;
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    return guarded(false, [&](Driver &driver) {
        if (driver.contexts.at(device).references == 0)
            return CUDA_ERROR_INVALID_CONTEXT;
        driver.contexts[device].references -= 1;
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    return guarded(false, [&](Driver &driver) {
        *flags = 0;
        *active = driver.contexts.at(device).references > 0;
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuCtxGetCurrent(CUcontext *context) {
    return guarded(false,
                   [&](Driver &driver) { return *context = driver.current(), CUDA_SUCCESS; });
}
DRIVER_API cuCtxSetCurrent(CUcontext context) {
    return guarded(false, [&](Driver &driver) {
        if (context && !driver.isContext(context))
            return CUDA_ERROR_INVALID_CONTEXT;
        return driver.setCurrent(context), CUDA_SUCCESS;
    });
}
DRIVER_API cuCtxPushCurrent_v2(CUcontext context) {
    return guarded(false, [&](Driver &driver) {
        if (!driver.isContext(context))
            return CUDA_ERROR_INVALID_CONTEXT;
        return driver.push(context), CUDA_SUCCESS;
    });
}
DRIVER_API cuCtxPopCurrent_v2(CUcontext *context) {
    return guarded(true, [&](Driver &driver) {
        if (context)
            *context = driver.current();
        driver.setCurrent(nullptr);
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuCtxGetDevice(CUdevice *device) {
    return guarded(
        true, [&](Driver &driver) { return *device = driver.current()->device, CUDA_SUCCESS; });
}
DRIVER_API cuCtxSynchronize() {
    return guarded(true, [&](Driver &driver) {
        for (CUstream_st *one : driver.streams)
            if (one->capture)
                return one->capture->isValid = false, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        driver.runAll(driver.current());
        return CUDA_SUCCESS;
    });
}

//===-- Addresses of functions: the newest version that this driver has

DRIVER_API cuGetProcAddress_v2(const char *name, void **function, int, uint64_t, int *status) {
    static void *self = [] {
        Dl_info info;
        dladdr(reinterpret_cast<void *>(&cuInit), &info);
        return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }();
    *function = dlsym(self, (std::string(name) + "_v2").c_str());
    if (!*function)
        *function = dlsym(self, name);
    if (status)
        *status = *function ? 0 : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
