// NumPy's own sorting functions, by the dtype's character: the bindings fill the table when the
// module is imported. They have AVX-512 code, and order equal elements as NumPy does.
#pragma once

#include <cstdint>

namespace shapecast::runtime {

struct NumpySort { // of contiguous elements; null where there is none
    int (*sort)(void *elements, int64_t count, void *array) = nullptr;
    // `indices` must be 0, 1, 2 ... before.
    int (*argsort)(void *elements, int64_t *indices, int64_t count, void *array) = nullptr;
};
extern NumpySort numpySorts[128];

} // namespace shapecast::runtime
