// A call's use of a device, and the memory of arrays there.
#pragma once

#include "device/module.h"
#include "runtime/abi.h"

namespace shapecast::runtime {

// Of another library, whose arrays the arguments are. Runs without the interpreter lock.
struct DeviceAllocator {
    // A handle, or null with the reason in `error`.
    void *(*allocate)(const void *of, int ordinal, size_t bytes, CUdeviceptr &address,
                      device::Error &error);
    void (*release)(void *handle);
    const void *of;
};

// One call's use of a device. The caller has made the device's context current.
struct DeviceCall {
    const device::Device &device;
    CUstream stream;
    const device::Module *kernels; // null: the function has none
    device::Error error;
    bool outOfMemory = false;
    void *borrowed = nullptr;                   // copies of sc_device_borrow() that are in use
    const DeviceAllocator *allocator = nullptr; // null: the driver's memory
};

// The memory of an array: the data of its buffer, which is freed in the order of the stream.
struct DeviceMemory {
    CUdeviceptr address; // first: compiled code reads it
    size_t bytes;
    const device::Device *device;
    CUstream stream;
    void *handle = nullptr; // of an allocator's memory, and its release()
    void (*release)(void *handle) = nullptr;
};

// After an error that ends or leaves the code between sc_device_borrow() and sc_device_unborrow():
// what it had stored into copies before is stored on the device.
void storeBorrowed(Context *ctx);
// The same as sc_device_alloc outside of a call: the caller frees it by freeDetached(). Null with
// the reason in `error`. The device's context is current.
DeviceMemory *newDeviceMemory(const device::Device &device, CUstream stream, size_t bytes,
                              device::Error &error);

} // namespace shapecast::runtime
