// The parameter of the kernels of matrix products: c = a @ b for a stack of matrices.
//
// Of each element the sum over k is split into `parts` of `depth` terms, one after the other. With
// one part the kernels write to c; else each part goes to `partials`, [part][stack][row][column],
// and sc_product_sum adds them in order. How many there are depends on the sizes alone, so that
// results do not depend on the device.
#pragma once

#include "kernels/launch.h"

namespace shapecast::kernels {

struct Product {
    const char *a, *b;
    char *c, *partials;
    int64_t rows, columns, depth, parts, partDepth;      // of c, and of the sums
    int64_t aRow, aColumn, bRow, bColumn, cRow, cColumn; // strides
    int64_t matrices;                                    // of the stack
    Axes<3> stack;                                       // a, b, c
};

} // namespace shapecast::kernels
