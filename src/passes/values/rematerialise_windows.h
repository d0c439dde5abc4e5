// np-windows: rematerialises cheap values in the windows that are read.
//
//     d = a[1:] - a[:-1]                     array d is eliminated:
//     return d[1:] + d[:-1]       ->         return (a[2:] - a[1:-1]) + (a[1:-1] - a[:-2])
//
// A view of an expression is the same expression over views of its operands. The elements in which
// windows overlap are recomputed; that costs a few flops, where an array costs memory
// traffic.
//
// Before: the IR after np-promote. After: as before.
#pragma once

#include "ir/np.h"

namespace shapecast {

void rematerialiseWindows(np::FuncOp func);

} // namespace shapecast
