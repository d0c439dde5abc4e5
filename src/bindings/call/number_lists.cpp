#include "bindings/call/number_lists.h"

#include "capture/interrupts.h"
#include "capture/object_class.h"
#include "capture/object_kind.h"

namespace shapecast::bindings {

Ref numbersOf(PyObject *list) {
    if (!capture::isNumberList(list))
        return {};
    ObjectLock lock(list); // and no Python code runs until its items are copied
    npy_intp size = PyList_GET_SIZE(list);
    const bool floats = capture::classify(PyList_GET_ITEM(list, 0)) == capture::ObjectClass::Float;
    Ref array = Ref::steal(PyArray_SimpleNew(1, &size, floats ? NPY_FLOAT64 : NPY_INT64));
    if (!array)
        return capture::forgetError(), Ref();
    void *data = PyArray_DATA(reinterpret_cast<PyArrayObject *>(array.get()));
    for (npy_intp i = 0; i < size; ++i) {
        PyObject *item = PyList_GET_ITEM(list, i);
        int overflow = 0;
        if (floats)
            static_cast<double *>(data)[i] = PyFloat_AS_DOUBLE(item);
        else
            static_cast<int64_t *>(data)[i] = PyLong_AsLongLongAndOverflow(item, &overflow);
        if (overflow)
            return {};
    }
    return array;
}

PyObject *listOfNumbers(PyArrayObject *array) {
    const npy_intp size = PyArray_DIM(array, 0), step = PyArray_STRIDE(array, 0);
    const int type = PyArray_TYPE(array);
    if (type != NPY_FLOAT64 && type != NPY_INT64)
        return PyObject_CallMethod(reinterpret_cast<PyObject *>(array), "tolist", nullptr);
    PyObject *list = PyList_New(size);
    const char *data = PyArray_BYTES(array);
    for (npy_intp i = 0; list && i < size; ++i, data += step) {
        PyObject *item = type == NPY_FLOAT64
                             ? PyFloat_FromDouble(*reinterpret_cast<const double *>(data))
                             : PyLong_FromLongLong(*reinterpret_cast<const int64_t *>(data));
        if (!item) {
            Py_DECREF(list);
            return nullptr;
        }
        PyList_SET_ITEM(list, i, item);
    }
    return list;
}

} // namespace shapecast::bindings
