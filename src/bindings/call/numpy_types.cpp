#include "bindings/call/numpy_types.h"

#include <cstring>

namespace shapecast::bindings {

namespace {

PyArray_Descr *descriptors[dtypeCount];

template <class Object> PyObject *newScalar(PyTypeObject &type, const void *value, size_t bytes) {
    PyObject *object = type.tp_alloc(&type, 0);
    if (object)
        std::memcpy(&reinterpret_cast<Object *>(object)->obval, value, bytes);
    return object;
}

} // namespace

std::optional<DType> dtypeOf(PyArray_Descr *descr) {
    const int dtype = supportedType(descr->type_num).dtype;
    if (dtype == notSupported)
        return std::nullopt;
    return DType(dtype);
}

int numpyType(DType dtype) {
    static constexpr int numbers[dtypeCount] = {
        NPY_BOOL,   NPY_INT8,   NPY_INT16, NPY_INT32, NPY_INT64,  NPY_UINT8,  NPY_UINT16,
        NPY_UINT32, NPY_UINT64, NPY_HALF,  NPY_FLOAT, NPY_DOUBLE, NPY_CFLOAT, NPY_CDOUBLE};
    return numbers[int(dtype)];
}

PyArray_Descr *descriptorOf(DType dtype) { return descriptors[int(dtype)]; }

[[gnu::hot]] PyObject *scalarObject(DType dtype, const int64_t *slot) {
    switch (dtype) {
    case DType::Bool:
        return Py_NewRef(*slot & 1 ? PyArrayScalar_True : PyArrayScalar_False);
    case DType::F64:
        return newScalar<PyDoubleScalarObject>(PyDoubleArrType_Type, slot, 8);
    case DType::F32:
        return newScalar<PyFloatScalarObject>(PyFloatArrType_Type, slot, 4);
    case DType::I64:
        return newScalar<PyLongScalarObject>(PyLongArrType_Type, slot, 8);
    case DType::I32:
        return newScalar<PyIntScalarObject>(PyIntArrType_Type, slot, 4);
    default:
        break;
    }
    char value[16];
    std::memcpy(value, slot, 8); // little endian: the low bytes are the value
    if (dtype == DType::C128)
        std::memcpy(value + 8, slot + 1, 8);
    else if (dtype == DType::C64)
        std::memcpy(value + 4, slot + 1, 4);
    return PyArray_Scalar(value, descriptors[int(dtype)], nullptr);
}

void initNumpyTypes() {
    for (int d = 0; d < dtypeCount; ++d)
        descriptors[d] = PyArray_DescrFromType(numpyType(DType(d)));
}

} // namespace shapecast::bindings
