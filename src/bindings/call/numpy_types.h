// NumPy's dtypes and scalars, and the compiler's.
#pragma once

#include "capture/python.h"
#include "facts/dtype.h"

#include <array>
#include <initializer_list>
#include <optional>

namespace shapecast::bindings {

inline constexpr int8_t notSupported = -1;

// The compiler's dtype for one of NumPy's.
struct Supported {
    int8_t dtype = notSupported;
    uint8_t shift = 0; // the item size is 1 << shift
};

// By NumPy's type number (NPY_TYPES).
inline constexpr std::array<Supported, NPY_NTYPES_LEGACY> supportedTypes = [] {
    std::array<Supported, NPY_NTYPES_LEGACY> table{};
    auto add = [&](std::initializer_list<int> numbers, DType dtype, uint8_t shift) {
        for (int number : numbers)
            table[size_t(number)] = {int8_t(dtype), shift};
    };
    add({NPY_BOOL}, DType::Bool, 0);
    add({NPY_BYTE}, DType::I8, 0);
    add({NPY_SHORT}, DType::I16, 1);
    add({NPY_INT}, DType::I32, 2);
    add({NPY_LONG, NPY_LONGLONG}, DType::I64, 3);
    add({NPY_UBYTE}, DType::U8, 0);
    add({NPY_USHORT}, DType::U16, 1);
    add({NPY_UINT}, DType::U32, 2);
    add({NPY_ULONG, NPY_ULONGLONG}, DType::U64, 3);
    add({NPY_HALF}, DType::F16, 1);
    add({NPY_FLOAT}, DType::F32, 2);
    add({NPY_DOUBLE}, DType::F64, 3);
    add({NPY_CFLOAT}, DType::C64, 3);
    add({NPY_CDOUBLE}, DType::C128, 4);
    return table;
}();

inline Supported supportedType(int number) {
    return size_t(number) < supportedTypes.size() ? supportedTypes[size_t(number)] : Supported();
}
static_assert(sizeof(long) == 8 && sizeof(int) == 4);

std::optional<DType> dtypeOf(PyArray_Descr *descr);
int numpyType(DType dtype);
PyArray_Descr *descriptorOf(DType dtype); // borrowed

PyObject *scalarObject(DType dtype, const int64_t *slot); // a NumPy scalar

void initNumpyTypes(); // once, at import

} // namespace shapecast::bindings
