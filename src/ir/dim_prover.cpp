// Proof search: see the header.
#include "ir/dim_prover.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;

namespace shapecast::np {
namespace {

constexpr unsigned maxDepth = 8;
// Bounds of sizes and integers beyond it come from their types: no other term makes up for them.
constexpr DimRange::Wide leastBound = -(DimRange::Wide(1) << 40);

DimAttr constant(DimAttr like, int64_t value) { return dimConst(like.getContext(), value); }
// e < 0
DimAttr negation(DimAttr e) { return dimPlus(dimNeg(e), -1); }

int64_t coefficientOf(DimAttr e, DimAttr monomial) {
    for (const DimTerm &term : dimTerms(e))
        if (term.monomial == monomial)
            return term.coefficient;
    return 0;
}

DimAttr replaceAtom(DimAttr e, DimAttr atom, DimAttr by) {
    if (e == atom)
        return by;
    SmallVector<DimAttr, 4> operands;
    for (DimAttr operand : e.getOperands())
        operands.push_back(replaceAtom(operand, atom, by));
    return ArrayRef<DimAttr>(operands) == e.getOperands() ? e : dimWithOperands(e, operands);
}

bool hasCases(DimAttr e) {
    return e.getKind() == DimKind::Wrap || e.getKind() == DimKind::Min ||
           e.getKind() == DimKind::Max || e.getKind() == DimKind::Bcast ||
           e.getKind() == DimKind::Broadcast;
}

// The innermost one, whose operands have no cases themselves.
DimAttr findCases(DimAttr e) {
    for (DimAttr operand : e.getOperands())
        if (DimAttr found = findCases(operand))
            return found;
    return hasCases(e) ? e : DimAttr();
}

// A wrap, or a min or max for which no single operand's bound proves this goal.
DimAttr atomToSplit(DimAttr goal) {
    for (auto [coefficient, monomial] : dimTerms(goal)) {
        DimKind kind = monomial.getKind();
        bool oneOperandIsEnough = kind == DimKind::Bcast ||
                                  (kind == DimKind::Max && coefficient > 0) ||
                                  (kind == DimKind::Min && coefficient < 0);
        if (!oneOperandIsEnough) {
            if (DimAttr found = findCases(monomial))
                return found;
            continue;
        }
        for (DimAttr operand : monomial.getOperands())
            if (DimAttr found = findCases(operand))
                return found;
    }
    return {};
}

// k * goal - l * fact, which cancels the monomial; both contain it with the same sign.
DimAttr cancel(DimAttr goal, DimAttr fact, DimAttr monomial) {
    int64_t inGoal = coefficientOf(goal, monomial), inFact = coefficientOf(fact, monomial);
    if (inGoal == 0 || inFact == 0 || inGoal == INT64_MIN || inFact == INT64_MIN)
        return {};
    int64_t common = std::gcd(inGoal, inFact);
    return dimSub(dimMul(constant(goal, std::abs(inFact / common)), goal),
                  dimMul(constant(goal, std::abs(inGoal / common)), fact));
}

// The terms of a non-constant expression, each with its coefficient.
ArrayRef<DimAttr> termsOf(const DimAttr &e) {
    return e.getKind() == DimKind::Sum ? e.getOperands() : ArrayRef<DimAttr>(e);
}

bool isProduct(DimAttr e) { return e.getKind() == DimKind::Product; }

// Whether it is a multiple of the monomial with that sign; allocates no attribute.
bool isMultiple(DimAttr term, DimAttr monomial, bool positive) {
    if (!isProduct(term))
        return term == monomial && positive;
    if ((term.getValue() > 0) != positive)
        return false;
    return isProduct(monomial) ? term.getOperands() == monomial.getOperands()
                               : term.getOperands() == ArrayRef<DimAttr>(monomial);
}

// n or -n, plus a constant.
bool isOneSymbol(DimAttr goal) {
    const SmallVector<DimTerm, 4> terms = dimTerms(goal);
    return terms.size() == 1 && terms[0].monomial.isSymbol();
}

// A goal e >= 0 is proved by its interval, or from another goal: subtracting a positive multiple of
// a fact that cancels a term, or splitting into the cases of a wrap, min or max.
class DimProver {
public:
    // The interval of a single symbol says nearly all that can be proved of it.
    DimProver(const DimKnowledge &known, DimAttr goal)
        : known(known), steps(isOneSymbol(goal) ? 12 : 128) {}
    // Best-first search: the goal with the fewest terms is reduced next.
    bool search(DimAttr goal);

private:
    using List = llvm::SmallVectorImpl<DimAttr>;
    // Facts that would cancel `monomial` in a goal where its coefficient has the given sign.
    void factsOn(DimAttr monomial, bool positive, List &found);
    void boundsOf(DimAttr atom, bool positive, List &found);
    void formFacts(DimAttr atom, bool positive, List &found);
    void productFacts(DimAttr product, bool positive, List &found);
    void quotientFacts(DimAttr product, bool positive, List &found);

    // Goals each of which implies `goal`.
    void reductions(DimAttr goal, List &goals);
    bool split(DimAttr goal);
    bool proveCase(DimAttr goal, llvm::ArrayRef<DimAttr> assumptions);
    DimRange interval(DimAttr e) { return known.interval(e); }

    const DimKnowledge &known;
    int steps;                          // budget: goals that may still be examined
    int64_t work = 50'000;              // budget: terms of goals and facts still to be examined
    int splitsLeft = 4;                 // each doubles the work
    llvm::SmallVector<DimAttr> assumed; // >= 0 in the current case
    llvm::DenseSet<DimAttr> seen;
};

bool DimProver::search(DimAttr goal) {
    struct Open {
        DimAttr goal;
        size_t size;
        unsigned depth;
    };
    SmallVector<Open> open;
    auto isProved = [&](DimAttr e, unsigned depth) {
        e = tighten(e);
        if (e.isConst())
            return e.getValue() >= 0;
        if (steps <= 0 || work <= 0 || !seen.insert(e).second)
            return false;
        --steps;
        work -= int64_t(termsOf(e).size());
        if (interval(e).low >= 0)
            return true;
        if (depth < maxDepth)
            open.push_back({e, dimTerms(e).size(), depth});
        return false;
    };
    if (isProved(goal, 0))
        return true;
    while (!open.empty() && steps > 0 && work > 0) {
        auto *best =
            llvm::min_element(open, [](const Open &a, const Open &b) { return a.size < b.size; });
        Open next = *best;
        open.erase(best);
        if (split(next.goal))
            return true;
        SmallVector<DimAttr> goals;
        reductions(next.goal, goals);
        for (DimAttr reduced : goals)
            if (isProved(reduced, next.depth + 1))
                return true;
    }
    return false;
}

// Terms that make the goal's lower bound negative are cancelled first. A goal of symbols alone is
// given up where one without a lower bound has no facts: nothing else cancels it.
void DimProver::reductions(DimAttr goal, List &goals) {
    SmallVector<DimTerm, 4> terms = dimTerms(goal);
    auto lowest = [&](const DimTerm &term) {
        return scaled(interval(term.monomial), term.coefficient).low;
    };
    const bool areSymbols =
        llvm::all_of(terms, [](const DimTerm &term) { return term.monomial.isSymbol(); });
    llvm::partition(terms, [&](const DimTerm &term) { return lowest(term) < 0; });
    SmallVector<DimAttr> found;
    for (const DimTerm &term : terms) {
        found.clear();
        factsOn(term.monomial, term.coefficient > 0, found);
        if (found.empty() && areSymbols && lowest(term) <= leastBound) {
            goals.clear();
            return;
        }
        for (DimAttr fact : found)
            if (DimAttr reduced = cancel(goal, fact, term.monomial))
                goals.push_back(reduced);
    }
}

//===-- Facts by form

void DimProver::factsOn(DimAttr monomial, bool positive, List &found) {
    auto addFrom = [&](ArrayRef<DimAttr> list, bool constantBounds) {
        for (const DimAttr &fact : list) {
            if (fact.isConst())
                continue;
            ArrayRef<DimAttr> terms = termsOf(fact);
            work -= int64_t(terms.size());
            if (terms.size() == 1 && !constantBounds)
                continue; // implied by the interval
            for (DimAttr term : terms)
                if (isMultiple(term, monomial, positive))
                    found.push_back(fact);
        }
    };
    addFrom(assumed, true);
    addFrom(known.facts, false);
    if (monomial.getKind() == DimKind::Product) {
        quotientFacts(monomial, positive, found);
        productFacts(monomial, positive, found);
    } else {
        formFacts(monomial, positive, found);
    }
}

// As factsOn, with the constant bounds too.
void DimProver::boundsOf(DimAttr atom, bool positive, List &found) {
    DimRange range = interval(atom);
    if (positive && range.low >= INT64_MIN)
        found.push_back(dimSub(atom, constant(atom, range.low)));
    if (!positive && range.high <= INT64_MAX)
        found.push_back(dimSub(constant(atom, range.high), atom));
    factsOn(atom, positive, found);
}

// Facts implied by the atom's kind.
void DimProver::formFacts(DimAttr atom, bool positive, List &found) {
    ArrayRef<DimAttr> operands = atom.getOperands();
    switch (atom.getKind()) {
    case DimKind::Max:
        for (DimAttr operand : operands)
            if (positive)
                found.push_back(dimSub(atom, operand));
        break;
    case DimKind::Min:
        for (DimAttr operand : operands)
            if (!positive)
                found.push_back(dimSub(operand, atom));
        break;
    case DimKind::FloorDiv: {
        // 0 <= x - y * atom < y
        DimRange divisor = interval(operands[1]);
        if (divisor.low < 1)
            break;
        if (operands[1].isConst()) {
            DimAttr rest = dimSub(operands[0], dimMul(operands[1], atom));
            found.push_back(positive ? dimPlus(dimSub(operands[1], rest), -1) : rest);
        } else if (!positive && interval(operands[0]).low >= 0) {
            found.push_back(dimSub(operands[0], atom));
        }
        break;
    }
    case DimKind::Mod: {
        if (!positive && interval(operands[1]).low >= 1)
            found.push_back(dimPlus(dimSub(operands[1], atom), -1));
        if (!positive && interval(operands[0]).low >= 0)
            found.push_back(dimSub(operands[0], atom));
        // Equal to x - y * floordiv(x, y), so both signs hold.
        DimAttr expanded =
            dimSub(operands[0], dimMul(operands[1], dimFloorDiv(operands[0], operands[1])));
        found.push_back(positive ? dimSub(atom, expanded) : dimSub(expanded, atom));
        break;
    }
    default:
        break;
    }
}

// (bound of one factor) * (the other factors), where those have a known sign.
void DimProver::productFacts(DimAttr product, bool positive, List &found) {
    ArrayRef<DimAttr> atoms = product.getOperands();
    SmallVector<DimAttr> bounds;
    for (size_t i = 0; i < atoms.size(); ++i) {
        if (i > 0 && atoms[i] == atoms[i - 1])
            continue;
        DimAttr rest = constant(product, 1);
        for (size_t j = 0; j < atoms.size(); ++j)
            if (j != i)
                rest = dimMul(rest, atoms[j]);
        DimRange range = interval(rest);
        if (range.low < 0 && range.high > 0)
            continue;
        bool restPositive = range.low >= 0;
        bounds.clear();
        boundsOf(atoms[i], positive == restPositive, bounds);
        for (DimAttr bound : bounds)
            found.push_back(dimMul(bound, restPositive ? rest : dimNeg(rest)));
    }
}

// y * floordiv(x, y) lies within y of x, also times further factors of known sign.
void DimProver::quotientFacts(DimAttr product, bool positive, List &found) {
    ArrayRef<DimAttr> atoms = product.getOperands();
    for (DimAttr quotient : atoms) {
        if (quotient.getKind() != DimKind::FloorDiv)
            continue;
        DimAttr dividend = quotient.getOperands()[0], divisor = quotient.getOperands()[1];
        if (!llvm::is_contained(atoms, divisor) || interval(divisor).low < 1)
            continue;
        SmallVector<DimAttr> others(atoms);
        others.erase(llvm::find(others, divisor));
        others.erase(llvm::find(others, quotient));
        DimAttr rest = constant(product, 1);
        for (DimAttr other : others)
            rest = dimMul(rest, other);
        DimRange range = interval(rest);
        if (range.low < 0 && range.high > 0)
            continue;
        bool restPositive = range.low >= 0;
        DimAttr remainder = dimSub(dividend, dimMul(divisor, quotient));
        DimAttr fact =
            positive == restPositive ? dimPlus(dimSub(divisor, remainder), -1) : remainder;
        found.push_back(dimMul(fact, restPositive ? rest : dimNeg(rest)));
    }
}

//===-- Cases

bool DimProver::split(DimAttr goal) {
    DimAttr atom = splitsLeft > 0 ? atomToSplit(goal) : DimAttr();
    if (!atom)
        return false;
    --splitsLeft;
    ArrayRef<DimAttr> operands = atom.getOperands();
    auto holds = [&](DimAttr value, ArrayRef<DimAttr> assumptions) {
        return proveCase(replaceAtom(goal, atom, value), assumptions);
    };
    switch (atom.getKind()) {
    case DimKind::Wrap:
        return holds(operands[0], {operands[0]}) &&
               holds(dimAdd(operands[0], operands[1]), {negation(operands[0])});
    case DimKind::Bcast: {
        DimAttr excess = dimPlus(operands[0], -1);
        return holds(constant(goal, 0), {excess, dimNeg(excess)}) && holds(constant(goal, 1), {});
    }
    case DimKind::Broadcast: {
        DimAttr excess = dimPlus(operands[0], -1), others = constant(goal, 1);
        for (DimAttr operand : operands.drop_front())
            others = dimBroadcast(others, operand);
        return holds(others, {excess, dimNeg(excess)}) && holds(operands[0], {});
    }
    default:
        return llvm::all_of(operands, [&](DimAttr chosen) {
            SmallVector<DimAttr, 4> assumptions;
            for (DimAttr other : operands)
                if (other != chosen)
                    assumptions.push_back(atom.getKind() == DimKind::Max ? dimSub(chosen, other)
                                                                         : dimSub(other, chosen));
            return holds(chosen, assumptions);
        });
    }
}

bool DimProver::proveCase(DimAttr goal, ArrayRef<DimAttr> assumptions) {
    // An impossible case needs no proof.
    for (DimAttr assumption : assumptions)
        if (interval(assumption).high < 0)
            return true;
    llvm::DenseSet<DimAttr> outerSeen = std::move(seen);
    seen.clear();
    size_t outer = assumed.size();
    assumed.append(assumptions.begin(), assumptions.end());
    bool shown = search(goal);
    assumed.truncate(outer);
    seen = std::move(outerSeen);
    return shown;
}

} // namespace

bool proveNonNegative(const DimKnowledge &known, DimAttr e) {
    if (auto answer = known.answers.find(e); answer != known.answers.end())
        return answer->second;
    const bool shown = DimProver(known, e).search(e);
    known.answers[e] = shown;
    return shown;
}

} // namespace shapecast::np
