// np-checks: bounds checks leave the loops, by proof or by a check before the loop.
#pragma once

#include "mlir/Pass/Pass.h"
#include <memory>

// Before: typed functions; np.require stands before what it protects, indices that may be negative
// are wrap(i, n). After: requires that follow from the arguments' sizes, the guards, earlier
// requires and loop bounds are gone. An np.for with requires whose operands are affine in the
// loops' variables is doubled: where the extreme values over all iterations satisfy every relation
// (np.all_hold, computed before the loop), a clone without these requires and with i for wrap(i, n)
// runs; else the original, which raises at the right iteration after the right stores. A loop that
// may stop early is treated alike: the condition is then stronger than needed. Python integers that
// only count (counters.h) lose their overflow checks.
