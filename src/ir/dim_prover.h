// The search behind DimFacts: is an expression non-negative wherever the facts hold?
#pragma once

#include "ir/dim_facts.h"
#include "llvm/ADT/DenseSet.h"

namespace shapecast::np {

// e divided by the common factor of its coefficients, the constant rounded down: e >= 0 exactly
// when the result is.
DimAttr tighten(DimAttr e);

DimRange scaled(DimRange range, int64_t factor);

// Of a symbol s that is a multiple of n: the symbol s/n for its n-th part, of which all is then
// spoken of within DimFacts, so that s and floordiv(s, n) are multiples of one thing. Null where
// the number is too large. And what such a symbol stands for: floordiv(s, n).
DimAttr quotientSymbol(DimAttr symbol, int64_t divisor);
std::optional<DimAttr> meaningOfQuotient(DimAttr e);

// A goal e >= 0 is shown by its interval, or from another goal: subtracting a positive multiple of
// a fact that cancels a term, or splitting into the cases of a wrap, min or max. The work for a
// question is bounded, however much is known and however long the expressions are.
class DimProver {
public:
    explicit DimProver(const DimFacts &facts) : facts(facts) {}
    bool prove(DimAttr goal);

private:
    using List = llvm::SmallVectorImpl<DimAttr>;
    // Facts that would cancel `monomial` in a goal where its coefficient has the given sign.
    void factsOn(DimAttr monomial, bool positive, List &found);
    void boundsOf(DimAttr atom, bool positive, List &found);
    void formFacts(DimAttr atom, bool positive, List &found);
    void productFacts(DimAttr product, bool positive, List &found);
    void quotientFacts(DimAttr product, bool positive, List &found);

    bool search(DimAttr goal);
    // Goals each of which would show `goal`.
    void reductions(DimAttr goal, List &goals);
    bool split(DimAttr goal);
    bool proveCase(DimAttr goal, llvm::ArrayRef<DimAttr> assumptions);
    DimRange interval(DimAttr e) { return facts.interval(e); }

    const DimFacts &facts;
    int steps = 128;                    // goals that may still be looked at
    int64_t work = 50'000;              // terms of goals and facts that may still be looked at
    int splitsLeft = 4;                 // each doubles the work
    llvm::SmallVector<DimAttr> assumed; // >= 0 in the present case
    llvm::DenseSet<DimAttr> seen;
};

} // namespace shapecast::np
