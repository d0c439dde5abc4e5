// The parameter of the kernels of np.add.at and its like, and of np.bincount with weights.
#pragma once

#include "kernels/launch.h"

namespace shapecast::kernels {

struct At {
    char *base;
    const char *other;     // a row of it for each position
    const int64_t *places; // by position: the number of the row of `base`; outside: none
    const int64_t *order;  // positions by place, and those of one place in their order; or null
    int64_t count;         // positions
    int64_t rows;          // of the base
    int64_t rowElements;
    int64_t otherStep, placeStep, orderStep; // along positions
    Axes<1> ofPlaces;                        // the rows of the base
    Axes<2> ofRow;                           // base, other
};

} // namespace shapecast::kernels
