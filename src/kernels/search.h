// The parameter of the kernels of np.searchsorted.
#pragma once

#include "kernels/launch.h"

namespace shapecast::kernels {

struct Search {
    const char *line, *values; // the line is sorted, NaNs last
    int64_t *places;
    int64_t size, count; // of the line; of the values
    int64_t lineStep, valueStep, placeStep;
    int64_t right; // not 0: behind what is equal
};

} // namespace shapecast::kernels
