// The driver's functions, found when the first array on a device comes. Nothing of CUDA is linked:
// libcuda.so.1 belongs to the machine's driver, and most machines have none.
#pragma once

#include "device/cuda.h"

#include <string>

namespace shapecast::device {

// clang-format off: a function a line
#define SC_DRIVER_FUNCTIONS(use)                                                                  \
    use(cuInit, unsigned)                                                                         \
    use(cuDriverGetVersion, int *)                                                                \
    use(cuGetErrorName, CUresult, const char **)                                                  \
    use(cuGetErrorString, CUresult, const char **)                                                \
    use(cuDeviceGetCount, int *)                                                                  \
    use(cuDeviceGet, CUdevice *, int)                                                             \
    use(cuDeviceGetName, char *, int, CUdevice)                                                   \
    use(cuDeviceTotalMem_v2, size_t *, CUdevice)                                                  \
    use(cuDeviceGetAttribute, int *, CUdevice_attribute, CUdevice)                                \
    use(cuDevicePrimaryCtxRetain, CUcontext *, CUdevice)                                          \
    use(cuCtxPushCurrent_v2, CUcontext)                                                           \
    use(cuCtxPopCurrent_v2, CUcontext *)                                                          \
    use(cuMemAlloc_v2, CUdeviceptr *, size_t)                                                     \
    use(cuMemFree_v2, CUdeviceptr)                                                                \
    use(cuMemAllocAsync, CUdeviceptr *, size_t, CUstream)                                         \
    use(cuMemFreeAsync, CUdeviceptr, CUstream)                                                    \
    use(cuDeviceGetDefaultMemPool, CUmemoryPool *, CUdevice)                                      \
    use(cuMemPoolSetAttribute, CUmemoryPool, int, void *)                                         \
    use(cuMemcpyHtoDAsync_v2, CUdeviceptr, const void *, size_t, CUstream)                        \
    use(cuMemcpyDtoHAsync_v2, void *, CUdeviceptr, size_t, CUstream)                              \
    use(cuMemcpyDtoDAsync_v2, CUdeviceptr, CUdeviceptr, size_t, CUstream)                         \
    use(cuMemsetD8Async, CUdeviceptr, unsigned char, size_t, CUstream)                            \
    use(cuModuleLoadDataEx, CUmodule *, const void *, unsigned, CUjit_option *, void **)          \
    use(cuLinkCreate_v2, unsigned, CUjit_option *, void **, CUlinkState *)                        \
    use(cuLinkAddData_v2, CUlinkState, CUjitInputType, void *, size_t, const char *, unsigned,    \
        CUjit_option *, void **)                                                                  \
    use(cuLinkComplete, CUlinkState, void **, size_t *)                                           \
    use(cuLinkDestroy, CUlinkState)                                                               \
    use(cuModuleUnload, CUmodule)                                                                 \
    use(cuModuleGetFunction, CUfunction *, CUmodule, const char *)                                \
    use(cuLaunchKernel, CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,             \
        unsigned, unsigned, CUstream, void **, void **)                                           \
    use(cuStreamQuery, CUstream)                                                                  \
    use(cuStreamSynchronize, CUstream)                                                            \
    use(cuStreamWaitEvent, CUstream, CUevent, unsigned)                                           \
    use(cuEventCreate, CUevent *, unsigned)                                                       \
    use(cuEventRecord, CUevent, CUstream)                                                         \
    use(cuEventDestroy_v2, CUevent)
// clang-format on

struct Driver {
#define SC_DRIVER_POINTER(name, ...) CUresult (*name)(__VA_ARGS__) = nullptr;
    SC_DRIVER_FUNCTIONS(SC_DRIVER_POINTER)
#undef SC_DRIVER_POINTER
};

// The driver, initialised: of the library that SHAPECAST_CUDA_DRIVER names, else libcuda.so.1. Null
// with the reason in `error`: there is none, it has no device, or this process was forked from one
// that used it (CUDA's contexts do not survive that).
const Driver *openDriver(std::string &error);
// The one that is open: after openDriver() has succeeded.
const Driver &driver();
// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered"
std::string textOf(CUresult result);

} // namespace shapecast::device
