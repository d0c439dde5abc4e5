// Interval arithmetic: each induction variable is replaced by the bound that fits the sign of its
// coefficient, innermost first.
#include "passes/analysis/loop_extremes.h"

#include "ir/dim_facts.h"

using namespace mlir;

namespace shapecast {

using np::Answer;
using np::DimAttr;
using np::DimKind;

std::optional<LoopRange> loopRange(np::ForOp loop) {
    MLIRContext *ctx = loop.getContext();
    DimAttr symbol = np::dimSymbol(ctx, loop.getVar()), one = np::dimConst(ctx, 1);
    DimAttr step = loop.getStep();
    if (!step.isConst() || step.isConst(0))
        return std::nullopt;
    if (step.getValue() > 0)
        return LoopRange{symbol, loop.getLower(), np::dimSub(loop.getUpper(), one)};
    return LoopRange{symbol, np::dimAdd(loop.getUpper(), one), loop.getLower()};
}

// The extreme over one variable, term by term; null when the expression is not monotone in a known
// direction.
static DimAttr extremeOverOne(DimAttr e, bool greatest, const LoopRange &range,
                              const np::DimFacts &facts) {
    StringRef name = range.symbol.getName();
    if (!np::dimUses(e, name))
        return e;
    MLIRContext *ctx = e.getContext();
    if (std::optional<np::DimParts> parts = np::dimPartsIn(e, range.symbol)) {
        DimAttr zero = np::dimConst(ctx, 0);
        bool up = facts.greaterEqual(parts->coefficient, zero) == Answer::Yes;
        if (!up && facts.greaterEqual(zero, parts->coefficient) != Answer::Yes)
            return {};
        DimAttr at = up == greatest ? range.greatest : range.least;
        return np::dimAdd(np::dimMul(parts->coefficient, at), parts->rest);
    }
    auto inner = [&](DimAttr part, bool direction) {
        return extremeOverOne(part, direction, range, facts);
    };
    switch (e.getKind()) {
    case DimKind::Sum: {
        DimAttr sum = np::dimConst(ctx, e.getValue());
        for (DimAttr term : e.getOperands()) {
            DimAttr extreme = inner(term, greatest);
            if (!extreme)
                return {};
            sum = np::dimAdd(sum, extreme);
        }
        return sum;
    }
    case DimKind::Product: {
        if (e.getOperands().size() != 1)
            return {};
        DimAttr extreme = inner(e.getOperands()[0], e.getValue() > 0 ? greatest : !greatest);
        return extreme ? np::dimMul(np::dimConst(ctx, e.getValue()), extreme) : DimAttr();
    }
    case DimKind::Min:
    case DimKind::Max: {
        DimAttr result;
        for (DimAttr operand : e.getOperands()) {
            DimAttr extreme = inner(operand, greatest);
            if (!extreme)
                return {};
            bool min = e.getKind() == DimKind::Min;
            result = !result ? extreme
                     : min   ? np::dimMin(result, extreme)
                             : np::dimMax(result, extreme);
        }
        return result;
    }
    case DimKind::FloorDiv: {
        DimAttr divisor = e.getOperands()[1];
        DimAttr extreme = inner(e.getOperands()[0], greatest);
        if (!extreme || !divisor.isConst() || divisor.getValue() <= 0)
            return {};
        return np::dimFloorDiv(extreme, divisor);
    }
    default:
        return {};
    }
}

DimAttr extremeOf(DimAttr e, bool greatest, ArrayRef<LoopRange> loops, const np::DimFacts &facts) {
    for (const LoopRange &range : llvm::reverse(loops)) {
        e = extremeOverOne(e, greatest, range, facts);
        if (!e)
            return {};
    }
    return e;
}

} // namespace shapecast
