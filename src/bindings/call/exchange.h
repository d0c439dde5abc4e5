// DLPack's exchange API in C: types of other libraries that have `__dlpack_c_exchange_api__`. Their
// arrays are read without running Python code, results are allocated by them, on their stream.
#pragma once

#include "capture/python.h"
#include "device/device.h"
#include "runtime/device_memory.h"

#include <optional>

namespace shapecast::bindings {

struct ExchangeApi; // the table of functions

// Of the object's type; null: it has none that we know. No exception is set.
const ExchangeApi *exchangeApiOf(PyObject *object);

struct ExchangedArray {
    Ref described; // a NumPy array over the device's addresses; null: with an exception set
    int ordinal = 0;
    CUstream stream = nullptr; // the library's current one
};
// None: the array is on no CUDA device. No description, with `dtype` set: no array of ours has such
// a dtype.
std::optional<ExchangedArray> exchangedArray(const ExchangeApi &api, PyObject *object,
                                             std::string &dtype);
// The library's own array over the memory of a DeviceArray. A new reference, or null with an
// exception set.
PyObject *handedOver(PyObject *array, const ExchangeApi &api);
// Memory from the library, for the runtime.
runtime::DeviceAllocator allocatorOf(const ExchangeApi &api);

} // namespace shapecast::bindings
