// Lookups in what is known, and forms of expressions.
#include "ir/dim_knowledge.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;

namespace shapecast::np {
namespace {

bool usesAny(DimAttr e, const llvm::DenseMap<DimAttr, DimAttr> &symbols) {
    if (e.isSymbol())
        return symbols.contains(e);
    return llvm::any_of(e.getOperands(),
                        [&](DimAttr operand) { return usesAny(operand, symbols); });
}

DimAttr substituteAll(DimAttr e, const llvm::DenseMap<DimAttr, DimAttr> &symbols) {
    if (e.isSymbol()) {
        DimAttr with = symbols.lookup(e);
        return with ? with : e;
    }
    if (!usesAny(e, symbols))
        return e;
    SmallVector<DimAttr, 4> operands;
    for (DimAttr operand : e.getOperands())
        operands.push_back(substituteAll(operand, symbols));
    return dimWithOperands(e, operands);
}

} // namespace

DimRange DimKnowledge::interval(DimAttr e) const {
    return rangeOf(e, [&](DimAttr atom) { return ranges.lookup(atom); });
}

Congruence DimKnowledge::congruence(DimAttr e) const {
    return congruenceOf(e, [&](DimAttr atom) { return congruences.lookup(atom); });
}

DimAttr DimKnowledge::substitute(DimAttr e) const {
    return equalities.empty() ? e : substituteAll(e, equalities);
}

DimAttr tighten(DimAttr e) {
    SmallVector<DimTerm, 4> terms = dimTerms(e);
    int64_t common = 0;
    for (const DimTerm &term : terms) {
        if (term.coefficient == INT64_MIN)
            return e;
        common = std::gcd(common, term.coefficient);
    }
    if (common <= 1)
        return e;
    int64_t value = dimConstant(e);
    DimAttr result = dimConst(e.getContext(), value / common - (value % common < 0));
    for (const DimTerm &term : terms)
        result = dimAdd(result,
                        dimMul(dimConst(e.getContext(), term.coefficient / common), term.monomial));
    return result;
}

bool isIndivisible(DimAttr e) {
    int64_t common = 0;
    for (const DimTerm &term : dimTerms(e)) {
        if (term.coefficient == INT64_MIN)
            return false;
        common = std::gcd(common, term.coefficient);
    }
    return common > 1 && dimConstant(e) % common != 0;
}

DimAttr nonzeroForm(DimAttr e) {
    if (!isIndivisible(e))
        e = tighten(e);
    SmallVector<DimTerm, 4> terms = dimTerms(e);
    return !terms.empty() && terms.front().coefficient < 0 ? dimNeg(e) : e;
}

} // namespace shapecast::np
