// DLPack: DeviceArray for other libraries, by __dlpack__ and as the structures of dlpack.h.
#pragma once

#include "capture/python.h"

#include <pybind11/pybind11.h>

namespace shapecast::bindings {

namespace dlpack { // the structures of dlpack.h, in its layout

struct Device {
    int32_t kind, number;
};
struct DataType {
    uint8_t code, bits;
    uint16_t lanes;
};
struct Version {
    uint32_t major, minor;
};
struct Tensor {
    void *data;
    Device device;
    int32_t rank;
    DataType dtype;
    int64_t *shape, *strides; // in items; no strides: C order
    uint64_t byteOffset;
};
struct Managed { // before version 1
    Tensor tensor;
    void *owner;
    void (*free)(Managed *);
};
struct VersionedManaged {
    Version version;
    void *owner;
    void (*free)(VersionedManaged *);
    uint64_t flags;
    Tensor tensor;
};
constexpr uint64_t isReadOnly = 1;
constexpr int32_t cuda = 2, cudaManaged = 13;
// Codes of dtypes.
constexpr uint8_t signedCode = 0, unsignedCode = 1, floatCode = 2, complexCode = 5, boolCode = 6;

} // namespace dlpack

// Of a DeviceArray, which it keeps alive.
dlpack::VersionedManaged *newManaged(PyObject *array);

void bindDlpack(pybind11::module_ &module);

} // namespace shapecast::bindings
