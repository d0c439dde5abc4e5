// Value range analysis: extreme values of expressions over the iterations of np.for loops.
#pragma once

#include "ir/np.h"

namespace shapecast {

struct LoopRange { // symbol in [least, greatest] whenever the loop's body runs
    np::DimAttr symbol, least, greatest;
};

// The range of an np.for's induction variable; none if the step's sign is not known.
std::optional<LoopRange> loopRange(np::ForOp loop);

// A loop-invariant bound that e never exceeds (greatest) or falls below (not greatest) while the
// bodies run. `loops` from the outermost to the innermost: inner bounds may use outer variables.
// None: not found.
np::DimAttr extremeOf(np::DimAttr e, bool greatest, llvm::ArrayRef<LoopRange> loops,
                      const np::DimFacts &facts);

} // namespace shapecast
