// Intervals of integers, and the interval of an expression from those of its parts.
#pragma once

#include "ir/np.h"

namespace shapecast::np {

// Both ends belong to it. Ends at or beyond `infinite` stand for no bound; arithmetic saturates
// there, far outside 64 bits, so that a saturated end is never taken for a value.
struct DimRange {
    using Wide = __int128;
    static constexpr Wide infinite = static_cast<Wide>(1) << 100;
    Wide low = -infinite, high = infinite;

    bool isPoint() const { return low == high; }
};

// a where nothing is in both: the facts then contradict each other, and every answer is right.
DimRange intersect(DimRange a, DimRange b);
// The interval of e; `known` gives what is known of an atom or monomial besides its form.
DimRange rangeOf(DimAttr e, llvm::function_ref<DimRange(DimAttr)> known);
// Bounds of x from c * x + rest >= 0 with rest's interval.
DimRange boundFrom(int64_t coefficient, DimRange rest);
DimRange addRanges(DimRange a, DimRange b);

} // namespace shapecast::np
