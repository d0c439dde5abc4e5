// np-wavefront: loops over two axes in which each element waits for the one before it run several
// rows at once, each some columns behind the row above.
//
//     for i in range(n):                    for i in range(0, n - 3, 4):
//         for j in range(m):                    for t in range(m + ...):
//             a[i, j] = f(a[i - 1, j + 1],  ->      a[i, t]         = f(...)
//                         a[i, j - 1])              a[i + 1, t - 2] = f(...)
//                                                   a[i + 2, t - 4] = f(...) ...
//
// (Loop skewing, and unroll-and-jam: Wolfe, "Loop skewing: the wavefront method revisited", 1986.)
// One row's chain of operations, each of which waits for the last, leaves most of the processor
// idle; those of four rows do not wait for each other.
//
// Before: the IR after np-lifetime. After: as before. Two counted loops that carry nothing, one in
// the other, with nothing but pure operations, loads, stores, and branches without stores (LLVM
// makes selects of these where they stand alone, which is faster than four rows) in them, are such
// a loop if some element that a turn loads was stored by one of the turns before it in its row, and
// if of each two accesses to one element, one of them a store, the rows and columns are a known
// distance apart, or the columns are, so that a lag of a few columns keeps them in order. Every
// element sees the same accesses in the same order: no bit changes. First the columns that only the
// upper rows have come to, then all rows at once, then the columns left over, and in the end the
// rows left over.
#pragma once

#include "passes/passes.h"
