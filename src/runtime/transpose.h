// Transposed copies, block by block in registers.
#pragma once

#include <cstdint>

namespace shapecast::runtime {

struct Transposed { // strides in items; source[i + j * sourceStride] goes to target[i * stride + j]
    int64_t rows, columns;
    int64_t sourceStride, targetStride;
};

// Items of 1, 2, 4, 8 or 16 bytes. Source and target do not overlap.
void copyTransposed(void *target, const void *source, int64_t itemSize, const Transposed &shape);

extern "C" void sc_transpose(void *target, const void *source, int64_t itemSize, int64_t rows,
                             int64_t columns, int64_t sourceStride, int64_t targetStride);

} // namespace shapecast::runtime
