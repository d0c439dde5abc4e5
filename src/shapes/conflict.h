// Facts about sizes with the places they come from, and which of them contradict each other.
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

// The least part of `learned` that cannot hold together with `fact`, found by trying with fewer;
// empty where they do not show it alone. `symbols` are sizes.
std::vector<SizeFact> leastConflict(llvm::ArrayRef<np::DimAttr> symbols,
                                    const std::vector<SizeFact> &learned, const SizeFact &fact);

} // namespace shapecast
