// The parameter of the kernels for masks: what is true is counted, chunk by chunk; the counts are
// summed up; then each element that is true knows its place.
#pragma once

#include "kernels/launch.h"

namespace shapecast::kernels {

constexpr int chunkElements = 4096; // of a block

struct Mask {
    const uint8_t *mask;
    char *base, *other; // what the mask selects from; its elements one after the other
    int64_t *counts; // of each chunk, then the sum of those before it; the last is the sum of all
    int64_t elements, chunks, otherStride;
    Axes<2> axes;            // mask, base
    int32_t rank;            // of the mask: of sc_mask_indices
    int64_t sizes[mostAxes]; // its axes, which are not coalesced
};

} // namespace shapecast::kernels
