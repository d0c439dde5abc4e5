// np-blocks: loops whose turns work on each element alone run over a few elements at a time.
//
//     for k in range(n):               for b in blocks:
//         x = f(x, a)          ->          for k in range(n):
//                                              x[b] = f(x[b], a[b])
//
// Before: the IR after np-promote (values: tensors; arrays that act as values are values).
// After: as before. A typed counted loop
// - whose carried variables are arrays of equal dims, which it stores whole or makes anew each
// turn,
// - whose other operations are element-wise over these dims (or over fewer, broadcast), views and
//   loads of arrays that it does not write, and scalars that cannot raise,
// stands in a loop over blocks of the first axis: all that its turns touch stays in the
// first-level cache, and what they make anew has the size of a block. Each element goes through
// the same operations in the same order, so that no bit changes. A loop that may not run keeps
// its variables' identity: it is left alone if what it carries is not fresh.
#pragma once

#include "ir/np.h"
#include "passes/passes.h"
