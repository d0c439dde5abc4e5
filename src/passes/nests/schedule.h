// np-schedule: dependence analysis of each nest. It finds the iteration orders that keep NumPy's
// semantics, all reads before the first store, and makes the copies without which no order does.
//
// Before: the IR after np-nests.
// After: every np.nest has
// - `order`: per parallel iterator "any", or "up"/"down" for a loop-carried anti-dependence: in the
//   other direction a read would see what the nest has stored;
// - `groups`: alias groups: operands in different groups never share a byte while the nest runs;
// and every element that a nest reads and writes is read before it is written, as NumPy's
// assignment of a whole expression needs it. Reads whose dependences fit no order are copied first,
// or the result is computed into a fresh array and then stored, whichever moves less. An argument
// that overlaps itself is written in C order.
#pragma once

#include "ir/np.h"

namespace shapecast {

void scheduleNests(np::FuncOp func);

// np-fuse-scheduled: nests without conflicts, since np-schedule has made copies, are fused also
// across others that they do not depend on, and scheduled again.
//
// Before and after: as np-schedule leaves the IR.
void fuseScheduledNests(np::FuncOp func);

} // namespace shapecast
