// np-wavefront: loop skewing and unroll-and-jam, for two nested loops with a recurrence along the
// inner one: four rows run at once, each some columns behind the row above.
//
//     for i in range(n):                    for i in range(0, n - 3, 4):
//         for j in range(m):                    for t in range(m + ...):
//             a[i, j] = f(a[i - 1, j + 1],  ->      a[i, t]         = f(...)
//                         a[i, j - 1])              a[i + 1, t - 2] = f(...)
//                                                   a[i + 2, t - 4] = f(...) ...
//
// (Wolfe, "Loop skewing: the wavefront method revisited", 1986.) One row is a chain of dependent
// operations, which is bound by latency and leaves most of the processor idle; the chains of four
// rows are independent.
//
// Before: the IR after np-lifetime. After: as before. The loops are two nested counted loops that
// carry nothing, with pure operations in the outer one, and pure operations, loads, stores, and
// branches without stores in the inner one (a branch with stores that LLVM can if-convert is faster
// so than in four rows). Some element that an iteration loads must be stored by an earlier
// iteration of the same row, and all dependences must have a known distance in rows and columns, or
// in columns, so that a lag of a few columns respects them. Every element sees the same accesses in
// the same order: no bit changes. First come the columns that only the upper rows have reached
// (prologue), then all rows at once, then the remaining columns (epilogue), and at the end the
// remaining rows.
#pragma once

#include "ir/np.h"

namespace shapecast {

void skewRecurrences(np::FuncOp func);

} // namespace shapecast
