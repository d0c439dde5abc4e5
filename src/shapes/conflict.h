// Facts about sizes with their origins, and which of them contradict each other.
#pragma once

#include "ir/dim_facts.h"

#include <string>
#include <vector>

namespace shapecast {

struct SizeFact {
    enum Kind { Equal, GreaterEqual, NotEqual } kind;
    np::DimAttr a, b;
    std::string origin; // "line 9"
    std::string text() const;
    std::string note() const; // "k == 512 because of line 9"
    void addTo(np::DimFacts &facts) const;
};

// A minimal subset of `assertions` that is unsatisfiable together with `fact`, found by deleting
// facts; empty where no contradiction follows from facts alone. `symbols` are sizes.
std::vector<SizeFact> unsatCore(llvm::ArrayRef<np::DimAttr> symbols,
                                const std::vector<SizeFact> &assertions, const SizeFact &fact);

} // namespace shapecast
