// shapecast.DeviceArray: an array on a device that no other library made.
#pragma once

#include "capture/python.h"
#include "device/device.h"
#include "facts/dtype.h"
#include "runtime/device_memory.h"

#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <pybind11/pybind11.h>

namespace shapecast::bindings {

// Elements on a device: their memory is owned, or belongs to another object.
struct DeviceArray {
    char *address = nullptr;
    runtime::DeviceMemory *memory = nullptr; // owned; null: a view
    pybind11::object base;                   // of a view: what owns the memory
    const device::Device *device = nullptr;
    CUstream stream = device::legacyStream; // on which its elements are computed
    DType dtype = DType::F64;
    bool readonly = false;
    llvm::SmallVector<int64_t, 4> sizes, strides; // strides in bytes

    DeviceArray() = default;
    DeviceArray(const DeviceArray &) = delete;
    ~DeviceArray();

    int64_t count() const;
};

// The Python object; null with an exception set.
PyObject *makeDeviceArray(std::unique_ptr<DeviceArray> array);
// A NumPy array over the device's addresses, for its sizes and strides: nothing may read through
// it. A new reference, or null with an exception set.
PyObject *describedArray(const DeviceArray &array);
// The array of an object that is one, else null.
const DeviceArray *deviceArrayOf(PyObject *object);

void bindDeviceArray(pybind11::module_ &module); // and to_device()

} // namespace shapecast::bindings
