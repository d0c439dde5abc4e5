// shapecast's part for devices: the list of them, and their errors as exceptions.
#pragma once

#include "capture/python.h"
#include "device/device.h"

#include <pybind11/pybind11.h>

namespace shapecast::bindings {

void bindDevices(pybind11::module_ &module);

// Throws DeviceError in a process that was forked from one that used devices.
void checkProcess(const device::Device &device);
// Throws DeviceError with the driver's text, if there is an error.
void checkDevice(const device::Device &device, const device::Error &error);
[[noreturn]] void raiseOutOfMemory(const device::Device &device, const device::Error &error);
// Of "cuda:0", "cuda", a number or a Device. Throws ValueError or DeviceError.
const device::Device &deviceNamed(const pybind11::object &name);
// The number in "cuda:1", "cuda" and 1, or of a Device: there may be none of that number. Throws
// ValueError.
int ordinalOf(const pybind11::object &name);
// Waits for the stream without the interpreter lock, and runs signal handlers meanwhile. False with
// an exception that one of them has raised. An error of the device is in `error`.
bool waitWithSignals(CUstream stream, device::Error &error);
// Sets DeviceError; without `device` the machine has none.
void setDeviceError(const device::Device *device, const device::Error &error);

} // namespace shapecast::bindings
