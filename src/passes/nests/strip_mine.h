// np-strip-mine: loop fusion by shifting. Adjacent nests are strip-mined over their rows and
// interleaved strip by strip, so that what one stores is in the cache when the next loads it.
//
//     t = f(x)                              for k in strips:
//     y = g(t[:-2], t[1:-1], t[2:])   ->        t[rows of k] = f(x[rows of k])
//                                               y[rows of k - 2] = g(t[...], t[...], t[...])
//
// Before: the IR after np-schedule. After: as before.
// A group is a sequence of nests of one block, with only pure operations between them, whose
// outermost iterators ascend or may run in any order, over about as many rows, and that access
// common arrays. Each nest is shifted after the first by as many rows as its dependences need, so
// that every element sees the same accesses in the same order as in the program. The rows of a
// strip are so many that its working set stays in the second-level cache; small arrays are one
// strip.
//
// An array that only the group uses is contracted to a sliding window: the rows of one strip, and
// the few older ones that are still live, which are moved to the front after each strip. Arrays in
// Fortran order are left alone: their outermost axis is the fastest.
#pragma once

#include "ir/np.h"

namespace shapecast {

void stripMine(np::FuncOp func);

} // namespace shapecast
