// The parameter of the kernels of np.bincount and np.histogram.
#pragma once

#include "kernels/launch.h"

namespace shapecast::kernels {

constexpr int64_t sharedBins = 4096; // more are counted in the device's memory

struct Bins {
    const char *numbers; // the bins themselves, or what is to be found between the edges
    const char *edges;   // equidistant
    int64_t *counts;     // added to
    int64_t *found;      // of each number its bin; `bins` where it is in none
    int64_t count, bins; // numbers; bins
    int64_t numberStep, edgeStep, countStep, foundStep;
    char kind; // NumPy's character of the bins' dtype
};

} // namespace shapecast::kernels
