// NumPy's own sorting functions, by the letter of the dtype: its bindings fill the table when the
// module is imported. They have AVX-512 code, and give the order of equal elements that NumPy
// gives.
#pragma once

#include <cstdint>

namespace shapecast::runtime {

struct NumpySort { // of contiguous elements; null where there is none
    int (*sort)(void *elements, int64_t count, void *array) = nullptr;
    // `places` are 0, 1, 2 ... before.
    int (*argsort)(void *elements, int64_t *places, int64_t count, void *array) = nullptr;
};
extern NumpySort numpySorts[128];

} // namespace shapecast::runtime
