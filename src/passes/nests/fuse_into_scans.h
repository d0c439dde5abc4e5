// np-scans: fusion of element-wise nests into scans, loops whose iterations are a recurrence.
//
//     y = x * w                         for i in range(n):
//     for i in range(n):                    total += x[i] * w[i]
//         total += y[i]        ->           c[i] = total
//         c[i] = total                      z[i] = c[i] / 2
//     z = c / 2
//
// A recurrence is bound by latency: a running sum takes an addition's per element, in which the
// processor could do a dozen other things. The nests' operations fill these slots, and arrays that
// only the fused loop accesses are contracted. Adjacent scans become one loop as well. No bit
// changes.
//
// Before: the IR after np-strip-mine. After: as before. A loop over 0 .. n - 1 that carries floats
// and nothing but loads, stores and computes numbers, and cheap nests over one axis right before
// and after it are fused, if each element is still loaded and stored in the program's order. A nest
// that reads elements ahead of the one that an iteration has stored (z = c[d:] - c[:-d]) is shifted
// by d iterations: the first d iterations are peeled into a loop of their own, without it.
#pragma once

#include "ir/np.h"

namespace shapecast {

void fuseIntoScans(np::FuncOp func);

} // namespace shapecast
