// Calls with arrays on a device: the device, its stream, the function's kernels; results there.
#pragma once

#include "bindings/call/arguments.h"
#include "bindings/call/result_plan.h"
#include "runtime/device_memory.h"
#include "variant.h"

#include <memory>
#include <string>
#include <vector>

namespace shapecast::bindings {

// All arrays of a call are on one device, which this machine has. False with TypeError or
// DeviceError set.
bool areOnOneDevice(const Parameters &parameters, const Call &call);
// The device's architecture, for which kernels are compiled.
std::string architectureOf(const Call &call);

// The device's context is current while this lives.
struct DeviceUse {
    DeviceUse(const device::Device &device, CUstream stream, const device::Module *kernels)
        : current(device), call{device, stream, kernels, {}} {}
    device::CurrentContext current;
    runtime::DeviceAllocator allocator{};
    runtime::DeviceCall call;
};
// Null with an exception set. `kernels` are the variant's, loaded at its first call; their machine
// code is kept in `disk`, if that is not null.
std::unique_ptr<DeviceUse> useDevice(const Call &call, const Variant &variant,
                                     std::shared_ptr<const device::Module> &kernels,
                                     DiskCache *disk);
// Sets the exception for an error of the device in a call that has failed.
void raiseOfDevice(const runtime::DeviceCall &call, const std::vector<Frame> &frames);

// What a call does for arrays on a device, for f.explain() and notebooks: a kernel that it
// launches, or what the host does or waits for.
struct DeviceNote {
    std::string what;
    std::vector<unsigned> lines; // of the function, sorted
    bool isKernel = false;

    std::string text() const; // "sort: by the host, on copies (line 3)"
};
std::vector<DeviceNote> deviceNotes(const Variant &variant); // by lines, each once

// Results on the device. New references, or null with an exception set.
PyObject *freshDeviceArray(const ResultOperand &operand, const int64_t *slot,
                           runtime::Context &ctx); // takes the buffer
PyObject *deviceView(const ResultOperand &operand, const int64_t *slot, PyObject *base,
                     bool readonly, const runtime::Context &ctx);
// A result as an array of the library that the arguments came from. Takes the reference.
PyObject *adopted(PyObject *result, const Call &call);
PyObject *wholeDeviceBuffer(void *buffer, runtime::Context &ctx); // as bytes; takes it

} // namespace shapecast::bindings
