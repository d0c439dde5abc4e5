// np-device-scalars: scalars of arrays on a device stay in its memory where the host does not need
// them, so that it waits for none of them.
//
//     s = sum(x[i] for i)                 s = array()
//     m = s / n                    ->     for i: s[()] += x[i]
//     for i: y[i] = x[i] - m              for i: y[i] = x[i] - s[()] / n
//
// Before: the IR after np-fuse. After: as before. What a nest, a product or a load of one element
// gives, and arithmetic with it, is an array of no dimension, if nests, stores to arrays on a
// device and loops that carry it are all that uses it. Arithmetic is computed again in each nest
// that uses it, but functions that cost more than a division are stored once.
// A loop of nothing but single elements stays as it is: it becomes a kernel (np-place-loops).
#pragma once

#include "ir/np.h"

namespace shapecast {

void keepScalarsOnDevice(np::FuncOp func);

} // namespace shapecast
