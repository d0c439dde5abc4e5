// The search for proofs: is an expression non-negative wherever the facts hold?
#pragma once

#include "ir/dim_knowledge.h"

namespace shapecast::np {

// False where no proof is found. The work per query is bounded, whatever the number of facts and
// the length of the expressions.
bool proveNonNegative(const DimKnowledge &known, DimAttr e);

} // namespace shapecast::np
