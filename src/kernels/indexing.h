// The parameter of the kernels for index arrays: x[i, j] and x[i, j] = values.
#pragma once

#include "kernels/launch.h"

namespace shapecast::kernels {

constexpr int mostIndices = 3;

struct Indexed {
    struct Index {
        const char *data;
        int64_t size, stride; // of the base's axis
        char kind;            // NumPy's character of its dtype; 'o': offsets, which are in bounds
    };
    char *base, *other;
    int64_t *isOutside;     // set to 1 where an index is out of bounds
    int64_t *winners;       // of each place in the base, which of the indices stores there; or null
    int64_t places;         // how many there are
    int64_t elements, rows; // elements of all axes; of a row, the axes that are not indexed
    int32_t indices;
    Index index[mostIndices];
    Axes<2 + mostIndices> axes; // base (0 along what is indexed), other, index arrays
};

} // namespace shapecast::kernels
