// np-counters: overflow check elimination for counters: Python integers that are sums of small
// constants, too slow to reach 64 bits.
#pragma once

#include "ir/np.h"

namespace shapecast {

// Assumes typed, structured code. Marks `count + 1` nowrap where all definitions that reach count
// are constants and additions of small constants to it: to overflow it would have to be added to
// for years. Overflow checks are loop exits, and loops with such exits do not vectorise.
void markCounters(np::FuncOp func);

} // namespace shapecast
