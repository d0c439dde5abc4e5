// The search behind DimFacts: is an expression non-negative wherever the facts hold?
#pragma once

#include "ir/dim_facts.h"
#include "llvm/ADT/DenseSet.h"

namespace shapecast::np {

// e divided by the common factor of its coefficients, the constant rounded down: e >= 0 exactly
// when the result is.
DimAttr tighten(DimAttr e);

DimRange scaled(DimRange range, int64_t factor);

// For a symbol s that is a multiple of n: the symbol s/n, its quotient. DimFacts rewrites s and
// floordiv(s, n) to multiples of that one symbol. Null where the divisor overflows. And what such a
// symbol stands for: floordiv(s, n).
DimAttr quotientSymbol(DimAttr symbol, int64_t divisor);
std::optional<DimAttr> meaningOfQuotient(DimAttr e);

// A goal e >= 0 is proved by its interval, or from another goal: subtracting a positive multiple of
// a fact that cancels a term, or splitting into the cases of a wrap, min or max. The work per query
// is bounded, whatever the number of facts and the length of the expressions.
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
    // Goals each of which implies `goal`.
    void reductions(DimAttr goal, List &goals);
    bool split(DimAttr goal);
    bool proveCase(DimAttr goal, llvm::ArrayRef<DimAttr> assumptions);
    DimRange interval(DimAttr e) { return facts.interval(e); }

    const DimFacts &facts;
    int steps = 128;                    // budget: goals that may still be examined
    int64_t work = 50'000;              // budget: terms of goals and facts still to be examined
    int splitsLeft = 4;                 // each doubles the work
    llvm::SmallVector<DimAttr> assumed; // >= 0 in the current case
    llvm::DenseSet<DimAttr> seen;
};

} // namespace shapecast::np
