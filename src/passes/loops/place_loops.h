// np-place-loops: where the loops over elements of arrays on a device run.
//
//     for i in range(n):                 for i in range(n) {placement = "kernel"}:
//         for j in range(m):       ->        for j in range(m) {placement = "columns"}:
//             y[i, j] = f(x[i, j])               y[i, j] = f(x[i, j])
//
// Before: the IR after np-lifetime. After: as before, with the attribute `placement` of loops that
// load or store single elements of arrays on a device.
// - "kernel": the iterations are independent (loops/parallel.h) and do nothing but such accesses
// and
//   arithmetic: a thread an iteration. A loop in it that is all it does, and independent as well,
//   is "columns": its iterations are those of neighbouring threads. An error that a thread finds
//   makes the host repeat the loop.
// - "host": the host runs it on copies in its memory: a single thread of a device waits for the
//   latency of the device's memory in each iteration.
// A loop has none where it launches kernels, or makes arrays: the host runs it, and reads and
// writes elements one by one. Arrays that the loop carries keep it from being "host", since copies
// end with the loop.
#pragma once

#include "ir/np.h"

namespace shapecast {

void placeLoops(np::FuncOp func);

} // namespace shapecast
