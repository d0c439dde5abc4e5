// What a kernel in C++ and the run time that launches it agree on.
#pragma once

#include <stdint.h>

namespace shapecast::kernels {

constexpr int blockThreads = 256; // of every kernel here

// An iteration space, its axes coalesced, and the strides in it of `arrays` arrays (in elements).
constexpr int mostAxes = 6;
template <int arrays> struct Axes {
    int32_t rank;
    int64_t sizes[mostAxes], strides[arrays][mostAxes]; // the last axis is the fastest

    // Where the arrays' elements of that number in C order are.
    void offsets(int64_t number, int64_t (&at)[arrays]) const {
        for (int k = 0; k < arrays; ++k)
            at[k] = 0;
#pragma unroll
        for (int d = mostAxes - 1; d >= 0; --d) {
            if (d >= rank)
                continue;
            const int64_t rest = d ? number / sizes[d] : 0, index = number - rest * sizes[d];
            for (int k = 0; k < arrays; ++k)
                at[k] += index * strides[k][d];
            number = rest;
        }
    }
};

} // namespace shapecast::kernels
