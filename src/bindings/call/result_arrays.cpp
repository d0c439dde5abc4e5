#include "bindings/call/result_arrays.h"

#include "bindings/call/numpy_types.h"

namespace shapecast::bindings {

PyObject *newArray(const ResultOperand &operand, const int64_t *slot, int flags) {
    npy_intp strides[NPY_MAXDIMS];
    npy_intp *explicitStrides = nullptr;
    flags |= NPY_ARRAY_ALIGNED;
    if (operand.layout == np::Layout::C)
        flags |= NPY_ARRAY_C_CONTIGUOUS;
    else if (operand.layout == np::Layout::F)
        flags |= NPY_ARRAY_F_CONTIGUOUS;
    else {
        explicitStrides = strides;
        for (int d = 0; d < operand.rank; ++d)
            strides[d] = npy_intp(slot[2 + operand.rank + d]) * npy_intp(itemSize(operand.dtype));
    }
    PyArray_Descr *descr = descriptorOf(operand.dtype);
    Py_INCREF(descr);
    return PyArray_NewFromDescr(&PyArray_Type, descr, operand.rank,
                                reinterpret_cast<const npy_intp *>(slot + 2), explicitStrides,
                                reinterpret_cast<void *>(slot[0]), flags, nullptr);
}

} // namespace shapecast::bindings
