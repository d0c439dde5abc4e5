// Interval arithmetic on expressions, in 128 bits with saturation.
#include "ir/dim_range.h"

using namespace mlir;

namespace shapecast::np {
namespace {

using Wide = DimRange::Wide;
using Known = function_ref<DimRange(DimAttr)>;
constexpr Wide infinite = DimRange::infinite;

Wide clampWide(Wide value) { return std::clamp(value, -infinite, infinite); }

bool isInfinite(Wide value) { return value <= -infinite || value >= infinite; }

// Saturation must stay conservative: a low end at or below -infinite is unbounded, one at or above
// infinite is lowered to infinite - 1; a high end likewise.
DimRange ends(Wide low, Wide high) {
    return {low <= -infinite ? -infinite : std::min(low, infinite - 1),
            high >= infinite ? infinite : std::max(high, 1 - infinite)};
}

Wide mulEnds(Wide a, Wide b) {
    Wide result;
    if (!__builtin_mul_overflow(a, b, &result))
        return clampWide(result);
    return (a < 0) == (b < 0) ? infinite : -infinite;
}

// floor(a / b) for b >= 1.
Wide floorEnds(Wide a, Wide b) {
    if (isInfinite(a))
        return a;
    if (isInfinite(b))
        return a < 0 ? -1 : 0;
    return a / b - (a % b < 0);
}

DimRange negate(DimRange a) { return {-a.high, -a.low}; }

DimRange unite(DimRange a, DimRange b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

DimRange mulRanges(DimRange a, DimRange b) {
    auto [low, high] = std::minmax({mulEnds(a.low, b.low), mulEnds(a.low, b.high),
                                    mulEnds(a.high, b.low), mulEnds(a.high, b.high)});
    return ends(low, high);
}

DimRange power(DimRange base, unsigned exponent) {
    DimRange result = base;
    for (unsigned i = 1; i < exponent; ++i)
        result = mulRanges(result, base);
    if (exponent % 2 == 0)
        result.low = std::max<Wide>(result.low, 0);
    return result;
}

DimRange floorDivRanges(DimRange a, DimRange b) {
    if (b.high < 0)
        return floorDivRanges(negate(a), negate(b));
    if (b.low > 0) {
        auto [low, high] = std::minmax({floorEnds(a.low, b.low), floorEnds(a.low, b.high),
                                        floorEnds(a.high, b.low), floorEnds(a.high, b.high)});
        return ends(low, high);
    }
    // The divisor is not zero, so the quotient is no larger than the dividend.
    const Wide largest = std::max({a.high, -a.low, static_cast<Wide>(0)});
    return {-largest, largest};
}

DimRange modRanges(DimRange a, DimRange b) {
    if (b.low > 0) {
        if (a.low >= 0 && a.high < b.low)
            return a;
        DimRange result{0, addRanges(b, {-1, -1}).high};
        if (a.low >= 0)
            result.high = std::min(result.high, a.high);
        return result;
    }
    return {std::min<Wide>(addRanges(b, {1, 1}).low, 0),
            std::max<Wide>(addRanges(b, {-1, -1}).high, 0)};
}

DimRange wrapRanges(DimRange index, DimRange size) {
    if (index.low >= 0)
        return index;
    DimRange negative = addRanges({index.low, std::min<Wide>(index.high, -1)}, size);
    return index.high < 0 ? negative : unite(negative, {0, index.high});
}

DimRange bcastRange(DimRange a) {
    if (a.low > 1 || a.high < 1)
        return {1, 1};
    return a.isPoint() ? DimRange{0, 0} : DimRange{0, 1};
}

// Equal atoms are adjacent: they form a power.
DimRange productRange(ArrayRef<DimAttr> atoms, Known known) {
    DimRange result{1, 1};
    while (!atoms.empty()) {
        DimAttr atom = atoms.front();
        unsigned count = 0;
        for (; !atoms.empty() && atoms.front() == atom; atoms = atoms.drop_front())
            ++count;
        result = mulRanges(result, power(rangeOf(atom, known), count));
    }
    return result;
}

DimRange formRange(DimAttr e, Known known) {
    auto operand = [&](unsigned i) { return rangeOf(e.getOperands()[i], known); };
    switch (e.getKind()) {
    case DimKind::Const:
        return {e.getValue(), e.getValue()};
    case DimKind::Symbol:
        return {};
    case DimKind::Sum: {
        DimRange result{e.getValue(), e.getValue()};
        for (DimAttr operand : e.getOperands())
            result = addRanges(result, rangeOf(operand, known));
        return result;
    }
    case DimKind::Product:
        return productRange(e.getOperands(), known);
    case DimKind::FloorDiv:
        return floorDivRanges(operand(0), operand(1));
    case DimKind::Mod:
        return modRanges(operand(0), operand(1));
    case DimKind::Min:
    case DimKind::Max: {
        bool isMin = e.getKind() == DimKind::Min;
        DimRange result = operand(0);
        for (unsigned i = 1; i < e.getOperands().size(); ++i) {
            DimRange other = operand(i);
            result =
                isMin
                    ? DimRange{std::min(result.low, other.low), std::min(result.high, other.high)}
                    : DimRange{std::max(result.low, other.low), std::max(result.high, other.high)};
        }
        return result;
    }
    case DimKind::Bcast:
        return bcastRange(operand(0));
    case DimKind::Broadcast: { // one of them
        DimRange result = operand(0);
        for (unsigned i = 1; i < e.getOperands().size(); ++i) {
            DimRange other = operand(i);
            result = {std::min(result.low, other.low), std::max(result.high, other.high)};
        }
        return result;
    }
    case DimKind::Wrap:
        return wrapRanges(operand(0), operand(1));
    }
    return {};
}

} // namespace

DimRange intersect(DimRange a, DimRange b) {
    DimRange both{std::max(a.low, b.low), std::min(a.high, b.high)};
    return both.low <= both.high ? both : a;
}

DimRange addRanges(DimRange a, DimRange b) {
    const bool noLow = a.low <= -infinite || b.low <= -infinite;
    const bool noHigh = a.high >= infinite || b.high >= infinite;
    return ends(noLow ? -infinite : a.low + b.low, noHigh ? infinite : a.high + b.high);
}

DimRange scaled(DimRange range, int64_t factor) {
    if (factor == 0)
        return {0, 0};
    auto times = [&](Wide end) {
        Wide product;
        if (end <= -infinite || end >= infinite || __builtin_mul_overflow(end, factor, &product))
            return (end < 0) == (factor < 0) ? infinite : -infinite;
        return std::clamp(product, -infinite, infinite);
    };
    Wide low = times(range.low), high = times(range.high);
    if (factor < 0)
        std::swap(low, high);
    return {std::min(low, infinite - 1), std::max(high, 1 - infinite)};
}

DimRange boundFrom(int64_t coefficient, DimRange rest) {
    // c * x >= -rest >= -rest.high
    if (isInfinite(rest.high))
        return {};
    if (coefficient > 0)
        return {-floorEnds(rest.high, coefficient), infinite};
    return {-infinite, floorEnds(rest.high, -static_cast<Wide>(coefficient))};
}

DimRange rangeOf(DimAttr e, Known known) {
    if (e.getKind() != DimKind::Product)
        return intersect(formRange(e, known), known(e));
    DimAttr monomial = dimTerms(e).front().monomial;
    DimRange range = intersect(formRange(monomial, known), known(monomial));
    return mulRanges(range, {e.getValue(), e.getValue()});
}

} // namespace shapecast::np
