// np-schedule: says in which order a nest may run, and makes the copies without which no order is
// right.
//
// Before: the IR after np-nests.
// After: every np.nest has
// - `order`: per parallel iterator "any", or "up"/"down" where a read would else see what the nest
// has stored;
// - `groups`: operands in different groups never share a byte while the nest runs;
// and every element that a nest reads and writes is read before it is written, as NumPy's stores of
// whole expressions demand. Reads whose order cannot be met are copied first, or the result is
// computed into a fresh array and then stored, whichever moves less. An argument that overlaps
// itself is written in C order.
#pragma once

#include "passes/passes.h"
