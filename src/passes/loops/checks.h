// np-checks: bounds check elimination: checks are proved away, or hoisted before the loop by loop
// versioning.
//
// Before: typed functions; np.require precedes what it guards, indices that may be negative are
// wrap(i, n). After: requires that follow from the arguments' sizes, the guards, dominating
// requires and loop bounds are gone. An np.for with requires whose operands are affine in the
// induction variables is versioned: where the extreme values over all iterations satisfy every
// relation (np.all_hold, computed before the loop), a clone without these requires and with i for
// wrap(i, n) runs; else the original, which raises at the right iteration after the right stores. A
// loop with an early exit is treated alike: the condition is then stronger than needed.
#pragma once

#include "ir/np.h"

namespace shapecast {

void eliminateChecks(np::FuncOp func);

} // namespace shapecast
