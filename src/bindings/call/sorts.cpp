// Passes NumPy's sorting functions to the run time (runtime/sort.h).
#include "bindings/call/sorts.h"
#include "capture/python.h"

#include "runtime/sort.h"

namespace shapecast::bindings {

bool initSorts() {
    constexpr std::pair<char, int> dtypes[] = {
        {'?', NPY_BOOL},      {'b', NPY_INT8},       {'B', NPY_UINT8},   {'h', NPY_INT16},
        {'H', NPY_UINT16},    {'i', NPY_INT32},      {'I', NPY_UINT32},  {'l', NPY_INT64},
        {'L', NPY_UINT64},    {'e', NPY_FLOAT16},    {'f', NPY_FLOAT32}, {'d', NPY_FLOAT64},
        {'F', NPY_COMPLEX64}, {'D', NPY_COMPLEX128},
    };
    static_assert(sizeof(npy_intp) == sizeof(int64_t));
    for (auto [letter, number] : dtypes) {
        PyArray_Descr *descr = PyArray_DescrFromType(number);
        if (!descr)
            return false;
        const PyArray_ArrFuncs *functions = PyDataType_GetArrFuncs(descr);
        runtime::NumpySort &entry = runtime::numpySorts[size_t(letter)];
        entry.sort = reinterpret_cast<decltype(entry.sort)>(functions->sort[NPY_QUICKSORT]);
        entry.argsort =
            reinterpret_cast<decltype(entry.argsort)>(functions->argsort[NPY_QUICKSORT]);
        Py_DECREF(descr);
    }
    return true;
}

} // namespace shapecast::bindings
