// Intervals of integers, and the interval of an expression from its operands'.
#pragma once

#include "ir/dim.h"

namespace shapecast::np {

// A closed interval. Ends at or beyond `infinite` mean unbounded; arithmetic saturates there, far
// outside 64 bits, so that a saturated end is never mistaken for a value.
struct DimRange {
    using Wide = __int128;
    static constexpr Wide infinite = static_cast<Wide>(1) << 100;
    Wide low = -infinite, high = infinite;

    bool isPoint() const { return low == high; }
};

// a where the intersection is empty: the facts then contradict each other, and any answer is sound.
DimRange intersect(DimRange a, DimRange b);
// The interval of e; `known` gives what facts say of an atom or monomial, besides its form.
DimRange rangeOf(DimAttr e, llvm::function_ref<DimRange(DimAttr)> known);
// Bounds of x from c * x + rest >= 0 with rest's interval.
DimRange boundFrom(int64_t coefficient, DimRange rest);
DimRange addRanges(DimRange a, DimRange b);
DimRange scaled(DimRange range, int64_t factor);

} // namespace shapecast::np
