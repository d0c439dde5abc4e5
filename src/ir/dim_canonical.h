// Simplification of expressions by what is known about their symbols, and decisions by their form.
#pragma once

#include "ir/dim_knowledge.h"

namespace shapecast::np {

DimAttr simplify(const DimKnowledge &known, DimAttr e);
DimAttr simplifyByResidues(const DimKnowledge &known, DimAttr e); // facts are rewritten with it

bool isNonzero(const DimKnowledge &known, DimAttr e); // by its congruence, or as a fact
Answer equal(const DimKnowledge &known, DimAttr a, DimAttr b);

// For a symbol s that is a multiple of n: the symbol s/n, its quotient. DimFacts rewrites s and
// floordiv(s, n) to multiples of that one symbol. Null where the divisor overflows.
DimAttr quotientSymbol(DimAttr symbol, int64_t divisor);
// Without such symbols: s/3 becomes floordiv(s, 3), and 3 * (s/3) becomes s.
DimAttr withoutQuotientSymbols(DimAttr e);

} // namespace shapecast::np
