// np-scans: loops whose turns wait for each other take in the nests around them.
//
//     y = x * w                         for i in range(n):
//     for i in range(n):                    total += x[i] * w[i]
//         total += y[i]        ->           c[i] = total
//         c[i] = total                      z[i] = c[i] / 2
//     z = c / 2
//
// A running sum takes an addition's latency per element, in which the processor could do a dozen
// other things. What the nests do is done meanwhile, and arrays that only the loop knows then are
// not made. Sums that run side by side are one loop as well. No bit changes.
//
// Before: the IR after np-strips. After: as before. A loop over 0 .. n - 1 that carries floats and
// nothing but loads, stores and computes numbers, and nests over one axis right before and behind
// it that do little, are one loop, if each element is still loaded and stored in the program's
// order. A nest that asks for elements ahead of the one that a turn has stored is d turns late
// (z = c[d:] - c[:-d]): the first d turns are a loop of their own, without it.
#pragma once

#include "passes/passes.h"
