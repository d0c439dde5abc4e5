// Facts about symbols: adding and removing them (simplification: dim_canonical.cpp; proofs:
// dim_prover.cpp).
#include "ir/dim_facts.h"

#include "ir/dim_canonical.h"
#include "ir/dim_prover.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace shapecast::np {
namespace {

constexpr int64_t maxSize = (int64_t(1) << 47) - 1;
// Bounds of symbols are tightened at most so often for one new fact.
constexpr unsigned maxNarrowings = 64;

bool contains(DimAttr e, DimAttr node) {
    return e == node ||
           llvm::any_of(e.getOperands(), [&](DimAttr operand) { return contains(operand, node); });
}

// k * (a - d * floordiv(a, d)) + c as k * mod(a, d) + c.
DimAttr withRemainders(DimAttr e) {
    MLIRContext *ctx = e.getContext();
    for (const DimTerm &term : dimTerms(e)) {
        ArrayRef<DimAttr> atoms(term.monomial);
        if (term.monomial.getKind() == DimKind::Product)
            atoms = term.monomial.getOperands();
        for (DimAttr atom : atoms) {
            if (atom.getKind() != DimKind::FloorDiv || atoms.size() > 2)
                continue;
            DimAttr dividend = atom.getOperands()[0], divisor = atom.getOperands()[1];
            int64_t scale = term.coefficient;
            if (divisor.isConst() && divisor.getValue() != 0 && scale % divisor.getValue() == 0)
                scale /= divisor.getValue();
            DimAttr mod = dimMod(dividend, divisor);
            DimAttr expanded = dimSub(dividend, dimMul(divisor, atom));
            DimAttr factor = dimNeg(dimConst(ctx, scale));
            DimAttr rest = dimSub(e, dimMul(factor, expanded));
            if (rest.isConst())
                return dimAdd(rest, dimMul(factor, mod));
        }
    }
    return e;
}

// The range narrowed to ends in the congruence class; empty where it contains no member.
DimRange roundedTo(Congruence known, DimRange range) {
    if (known.modulus <= 1)
        return range;
    auto above = [&](DimRange::Wide value) { // the distance to the next member
        const DimRange::Wide rest = (known.residue - value) % known.modulus;
        return rest < 0 ? rest + known.modulus : rest;
    };
    if (range.low > -DimRange::infinite)
        range.low += above(range.low);
    if (range.high < DimRange::infinite)
        range.high -= (known.modulus - above(range.high)) % known.modulus;
    return range;
}

constexpr Congruence minusOne{0, -1};

int64_t saturate(DimRange::Wide value) {
    return static_cast<int64_t>(std::clamp<DimRange::Wide>(value, INT64_MIN, INT64_MAX));
}

// The integer roots of a * x * x + b * x + c, ascending; none where e is no such polynomial of one
// atom, or its coefficients are too large.
std::optional<SmallVector<int64_t, 2>> quadraticRoots(DimAttr e, DimAttr &atom) {
    int64_t square = 0, linear = 0;
    constexpr int64_t limit = int64_t(1) << 60;
    for (const DimTerm &term : dimTerms(e)) {
        ArrayRef<DimAttr> atoms = term.monomial;
        if (term.monomial.getKind() == DimKind::Product)
            atoms = term.monomial.getOperands();
        if (atoms.size() > 2 || atoms.front() != atoms.back() || (atom && atom != atoms.front()) ||
            std::abs(term.coefficient) >= limit)
            return std::nullopt;
        atom = atoms.front();
        (atoms.size() == 2 ? square : linear) = term.coefficient;
    }
    if (square == 0 || std::abs(dimConstant(e)) >= limit)
        return std::nullopt;
    using Wide = DimRange::Wide;
    const Wide discriminant = Wide(linear) * linear - Wide(4) * square * dimConstant(e);
    SmallVector<int64_t, 2> roots;
    if (discriminant < 0)
        return roots;
    Wide root = static_cast<Wide>(std::sqrt(static_cast<long double>(discriminant)));
    while (root * root > discriminant)
        --root;
    while ((root + 1) * (root + 1) <= discriminant)
        ++root;
    if (root * root != discriminant)
        return roots;
    for (Wide top : {-linear - root, -linear + root})
        if (top % (Wide(2) * square) == 0)
            roots.push_back(static_cast<int64_t>(top / (Wide(2) * square)));
    llvm::sort(roots);
    roots.erase(llvm::unique(roots), roots.end());
    return roots;
}

} // namespace

// What is known, how facts are added to it, and how to undo that.
class DimFacts::State : public DimKnowledge {
public:
    explicit State(MLIRContext *ctx) : DimKnowledge(ctx) {}

    void registerSymbols(DimAttr e);
    void assume(DimAttr e); // e >= 0
    void assumeZero(DimAttr e);
    void assumeNonzero(DimAttr e);
    void rewind(Mark mark);

    DimAttr simplify(DimAttr e) const { return np::simplify(*this, e); }
    bool isNonzero(DimAttr e) const { return np::isNonzero(*this, e); }
    bool proveNonNegative(DimAttr e) const { return np::proveNonNegative(*this, e); }

    // One change, undone by restoring `old`. Null `old`: the entry was new.
    struct Undo {
        enum Kind { Fact, Nonzero, Equality, Range, Residue, Contradiction } kind;
        size_t index = 0;
        DimAttr key = {}, old = {};
        DimRange range = {};
        Congruence residue = {};
    };
    SmallVector<Undo> log;
    bool contradiction = false;

private:
    void addFact(DimAttr e);
    void addConsequences(DimAttr e);
    bool assumeRoot(DimAttr e);
    DimAttr withoutFactors(DimAttr e) const;
    void assumeCongruent(DimAttr e, Congruence known);
    void addCongruence(DimAttr atom, Congruence known);
    void rewriteFacts(DimAttr atom, function_ref<DimAttr(DimAttr)> rewritten);
    void contradict();
    void eliminate(DimAttr symbol, DimAttr value);
    DimAttr symbolToEliminate(DimAttr e, DimAttr &value) const;
    void narrow(DimAttr e);
    bool narrowAtom(DimAttr atom, DimRange range);
    void record(Undo undo);
    void setEntry(Undo::Kind kind, SmallVectorImpl<DimAttr> &list, size_t index, DimAttr e);

    llvm::DenseMap<DimAttr, unsigned> ages; // order in which symbols were registered
};

//===-- Adding facts

void DimFacts::State::assumeNonzero(DimAttr e) {
    e = nonzeroForm(simplify(substitute(e)));
    if (e.isConst(0))
        return contradict();
    if (e.isConst() || llvm::is_contained(nonzero, e))
        return;
    setEntry(Undo::Nonzero, nonzero, nonzero.size(), e);
    if (proveNonNegative(e))
        assume(dimPlus(e, -1));
    else if (proveNonNegative(dimNeg(e)))
        assume(dimPlus(dimNeg(e), -1));
}

void DimFacts::State::registerSymbols(DimAttr e) {
    if (e.isSymbol())
        ages.try_emplace(e, ages.size());
    for (DimAttr operand : e.getOperands())
        registerSymbols(operand);
}

void DimFacts::State::record(Undo undo) {
    answers.clear();
    log.push_back(undo);
}

void DimFacts::State::contradict() {
    if (!std::exchange(contradiction, true))
        record({Undo::Contradiction});
}

// Puts e at list[index], which may be one past the end.
void DimFacts::State::setEntry(Undo::Kind kind, SmallVectorImpl<DimAttr> &list, size_t index,
                               DimAttr e) {
    bool isNew = index == list.size();
    record({kind, index, {}, isNew ? DimAttr() : list[index]});
    if (isNew)
        list.push_back(e);
    else
        list[index] = e;
}

void DimFacts::State::assume(DimAttr e) {
    e = tighten(simplify(substitute(e)));
    if (e.isConst() && e.getValue() < 0)
        return contradict();
    if (e.isConst() || llvm::is_contained(facts, e))
        return;
    // e >= 0 and -e >= 0
    if (llvm::is_contained(facts, dimNeg(e)))
        return assumeZero(e);
    if (llvm::is_contained(nonzero, nonzeroForm(e)))
        return assume(dimPlus(e, -1));
    addFact(e);
    addConsequences(e);
}

void DimFacts::State::addFact(DimAttr e) {
    setEntry(Undo::Fact, facts, facts.size(), e);
    narrow(e);
}

// Facts about operands of functions in a fact: floordiv(x, 2) >= 1 implies x >= 2.
void DimFacts::State::addConsequences(DimAttr e) {
    SmallVector<DimAttr, 4> consequences;
    for (auto [coefficient, atom] : dimTerms(e)) {
        DimAttr rest = dimSub(e, dimMul(dimConst(ctx, coefficient), atom));
        DimKind kind = atom.getKind();
        if ((kind == DimKind::Min && coefficient > 0) ||
            (kind == DimKind::Max && coefficient < 0)) {
            for (DimAttr operand : atom.getOperands())
                consequences.push_back(dimAdd(rest, dimMul(dimConst(ctx, coefficient), operand)));
        } else if (kind == DimKind::FloorDiv && atom.getOperands()[1].isConst()) {
            DimAttr divisor = atom.getOperands()[1];
            if (divisor.getValue() < 1)
                continue;
            // divisor * atom is at most the dividend and at least dividend - divisor + 1
            DimAttr bound = atom.getOperands()[0];
            if (coefficient < 0)
                bound = dimPlus(bound, 1 - divisor.getValue());
            consequences.push_back(
                dimAdd(dimMul(divisor, rest), dimMul(dimConst(ctx, coefficient), bound)));
        }
    }
    for (DimAttr consequence : consequences) {
        consequence = tighten(substitute(consequence));
        if (!consequence.isConst() && !llvm::is_contained(facts, consequence))
            addFact(consequence);
    }
}

// The newest symbol that is linear in e with coefficient 1 or -1; `value` is what e == 0 makes it.
DimAttr DimFacts::State::symbolToEliminate(DimAttr e, DimAttr &value) const {
    DimAttr chosen;
    auto isNewer = [&](DimAttr a, DimAttr b) {
        auto x = ages.find(a), y = ages.find(b);
        unsigned ageA = x == ages.end() ? ~0u : x->second, ageB = y == ages.end() ? ~0u : y->second;
        return ageA != ageB ? ageA > ageB : a.getName().compare_numeric(b.getName()) > 0;
    };
    for (auto [coefficient, symbol] : dimTerms(e)) {
        if (!symbol.isSymbol() || (coefficient != 1 && coefficient != -1) ||
            (chosen && !isNewer(symbol, chosen)))
            continue;
        std::optional<DimLinear> linear = dimLinearIn(e, symbol.getName());
        if (!linear || (linear->coefficient != 1 && linear->coefficient != -1))
            continue;
        chosen = symbol;
        value = linear->coefficient == 1 ? dimNeg(linear->rest) : linear->rest;
    }
    return chosen;
}

void DimFacts::State::assumeZero(DimAttr e) {
    e = simplify(substitute(e));
    if (e.isConst(0))
        return;
    if (e.isConst() || isNonzero(e))
        return contradict();
    e = tighten(e); // exact: the constant is divisible
    e = withRemainders(withoutFactors(e));
    if (assumeRoot(e))
        return;
    DimAttr value;
    if (DimAttr symbol = symbolToEliminate(e, value))
        return eliminate(symbol, value);
    for (DimAttr side : {e, dimNeg(e)}) {
        side = tighten(side);
        if (llvm::is_contained(facts, side))
            continue;
        addFact(side);
        addConsequences(side);
    }
}

// e / k for the factors k of all its terms that are known not to be zero: 0 where e is.
DimAttr DimFacts::State::withoutFactors(DimAttr e) const {
    SmallVector<DimTerm, 4> terms = dimTerms(e);
    if (dimConstant(e) != 0 || terms.front().monomial.getKind() != DimKind::Product)
        return e;
    for (DimAttr factor : terms.front().monomial.getOperands()) {
        DimAttr quotient = simplify(substitute(dimFloorDiv(e, factor)));
        if (dimMul(quotient, factor) == e &&
            np::equal(*this, factor, dimConst(ctx, 0)) == Answer::No)
            e = quotient;
    }
    return e;
}

// a * x * x + b * x + c == 0 for an atom x: its only integer root that x can be.
bool DimFacts::State::assumeRoot(DimAttr e) {
    DimAttr atom;
    std::optional<SmallVector<int64_t, 2>> roots = quadraticRoots(e, atom);
    if (!roots)
        return false;
    const DimRange known = interval(atom);
    llvm::erase_if(*roots, [&](int64_t root) { return root < known.low || root > known.high; });
    if (roots->empty())
        contradict();
    else if (roots->size() == 1)
        assumeZero(dimPlus(atom, -roots->front()));
    return roots->size() < 2;
}

void DimFacts::State::eliminate(DimAttr symbol, DimAttr value) {
    DimRange range = ranges.lookup(symbol);
    equalities[symbol] = value;
    record({Undo::Equality, 0, symbol});
    for (auto &[key, old] : equalities) {
        if (key == symbol || !dimUses(old, symbol.getName()))
            continue;
        record({Undo::Equality, 0, key, old});
        old = substitute(old);
    }
    rewriteFacts(symbol, [&](DimAttr fact) { return substitute(fact); });
    for (size_t i = 0; i < nonzero.size(); ++i)
        if (dimUses(nonzero[i], symbol.getName())) {
            setEntry(Undo::Nonzero, nonzero, i, nonzeroForm(substitute(nonzero[i])));
            if (nonzero[i].isConst(0))
                contradict();
        }
    // The symbol's congruence and bounds now hold for its value, as do those of its quotients.
    SmallVector<std::pair<DimAttr, Congruence>> affected;
    for (auto [atom, known] : congruences)
        if (contains(atom, symbol))
            affected.emplace_back(substitute(atom), known);
    for (auto [e, known] : affected)
        assumeCongruent(e, known);
    if (range.low >= INT64_MIN)
        assume(dimSub(value, dimConst(ctx, range.low)));
    if (range.high <= INT64_MAX)
        assume(dimSub(dimConst(ctx, range.high), value));
}

// Rewrites the facts that contain the atom.
void DimFacts::State::rewriteFacts(DimAttr atom, function_ref<DimAttr(DimAttr)> rewritten) {
    SmallVector<DimAttr> changed;
    for (size_t i = 0; i < facts.size(); ++i) {
        if (!contains(facts[i], atom))
            continue;
        DimAttr fact = tighten(rewritten(facts[i]));
        if (fact == facts[i])
            continue;
        setEntry(Undo::Fact, facts, i, fact);
        if (fact.isConst() && fact.getValue() < 0)
            contradict();
        changed.push_back(fact);
    }
    for (DimAttr fact : changed)
        narrow(fact);
}

// Solves it for the only atom in e whose remainder is not known yet.
void DimFacts::State::assumeCongruent(DimAttr e, Congruence known) {
    if (known.modulus <= 1 || contradiction)
        return;
    DimTerm open{0, {}};
    Congruence others{0, dimConstant(e)};
    for (const DimTerm &term : dimTerms(e)) {
        const Congruence part = congruence(dimMul(dimConst(ctx, term.coefficient), term.monomial));
        if (part.remainder(known.modulus))
            others = others + part;
        else if (std::exchange(open, term).monomial)
            return;
    }
    std::optional<Congruence> left = solveCongruence(open.coefficient, known + others * minusOne);
    if (!left)
        contradict();
    else if (open.monomial && open.monomial.getKind() != DimKind::Product)
        addCongruence(open.monomial, *left);
}

void DimFacts::State::addCongruence(DimAttr atom, Congruence known) {
    const Congruence old = congruences.lookup(atom);
    std::optional<Congruence> both = intersect(old, known);
    if (!both)
        return contradict();
    if (*both == old)
        return;
    record({Undo::Residue, 0, atom, {}, {}, old});
    congruences[atom] = *both;
    narrowAtom(atom, {}); // to ends in the congruence class
    rewriteFacts(atom, [&](DimAttr fact) { return simplifyByResidues(*this, fact); });
    if (!atom.isSymbol() || equalities.contains(atom) || contradiction)
        return;
    if (ranges.lookup(atom).isPoint())
        eliminate(atom, dimConst(ctx, ranges.lookup(atom).low));
    else if (both->modulus > 1 && both->residue == 0)
        if (DimAttr part = quotientSymbol(atom, both->modulus))
            eliminate(atom, dimMul(dimConst(ctx, both->modulus), part));
}

// Bound propagation: tightens intervals of atoms by e >= 0, then by the facts with those atoms.
void DimFacts::State::narrow(DimAttr e) {
    SmallVector<DimAttr> work{e};
    SmallVector<DimAttr> points, remainders;
    unsigned narrowings = 0;
    auto intervals = [&](ArrayRef<DimTerm> terms) {
        return llvm::map_to_vector<4>(terms, [&](const DimTerm &term) {
            return scaled(interval(term.monomial), term.coefficient);
        });
    };
    while (!work.empty() && narrowings < maxNarrowings) {
        DimAttr fact = work.pop_back_val();
        SmallVector<DimTerm, 4> terms = dimTerms(fact);
        SmallVector<DimRange, 4> parts = intervals(terms);
        for (auto [i, term] : llvm::enumerate(terms)) {
            DimRange rest{dimConstant(fact), dimConstant(fact)};
            for (auto [j, part] : llvm::enumerate(parts))
                if (i != j)
                    rest = addRanges(rest, part);
            DimAttr atom = term.monomial;
            if (!narrowAtom(atom, boundFrom(term.coefficient, rest)))
                continue;
            parts = intervals(terms);
            ++narrowings;
            if (atom.getKind() == DimKind::Mod && ranges.lookup(atom).isPoint())
                remainders.push_back(atom);
            if (!atom.isSymbol())
                continue;
            if (ranges.lookup(atom).isPoint())
                points.push_back(atom);
            for (DimAttr known : facts)
                if (known != fact && dimUses(known, atom.getName()) &&
                    !llvm::is_contained(work, known))
                    work.push_back(known);
        }
    }
    for (DimAttr symbol : points)
        if (!equalities.contains(symbol) && ranges.lookup(symbol).isPoint())
            eliminate(symbol, dimConst(ctx, ranges.lookup(symbol).low));
    for (DimAttr mod : remainders)
        if (DimAttr divisor = mod.getOperands()[1]; divisor.isConst() && divisor.getValue() > 0)
            assumeCongruent(substitute(mod.getOperands()[0]),
                            Congruence{divisor.getValue(), 0} +
                                Congruence{0, saturate(ranges.lookup(mod).low)});
}

bool DimFacts::State::narrowAtom(DimAttr atom, DimRange range) {
    DimRange old = ranges.lookup(atom);
    if (std::max(old.low, range.low) > std::min(old.high, range.high))
        contradict();
    DimRange now = roundedTo(congruences.lookup(atom), intersect(old, range));
    if (now.low > now.high) {
        contradict();
        now = old;
    }
    if (now.low == old.low && now.high == old.high)
        return false;
    record({Undo::Range, 0, atom, {}, old, {}});
    ranges[atom] = now;
    return true;
}

//===-- Backtracking

void DimFacts::State::rewind(Mark mark) {
    auto restore = [](SmallVectorImpl<DimAttr> &list, const Undo &undo) {
        if (undo.old)
            list[undo.index] = undo.old;
        else
            list.pop_back();
    };
    if (log.size() > mark.undo)
        answers.clear();
    while (log.size() > mark.undo) {
        Undo undo = log.pop_back_val();
        switch (undo.kind) {
        case Undo::Fact:
            restore(facts, undo);
            break;
        case Undo::Nonzero:
            restore(nonzero, undo);
            break;
        case Undo::Range:
            ranges[undo.key] = undo.range;
            break;
        case Undo::Residue:
            congruences[undo.key] = undo.residue;
            break;
        case Undo::Contradiction:
            contradiction = false;
            break;
        case Undo::Equality:
            if (undo.old)
                equalities[undo.key] = undo.old;
            else
                equalities.erase(undo.key);
            break;
        }
    }
}

//===-- The interface

DimFacts::DimFacts(MLIRContext *ctx) : state(std::make_unique<State>(ctx)) {}
DimFacts::~DimFacts() = default;

void DimFacts::registerSymbols(DimAttr e) { state->registerSymbols(e); }

void DimFacts::addSize(StringRef symbol) {
    addLower(symbol, dimConst(state->ctx, 0));
    addUpper(symbol, dimConst(state->ctx, maxSize));
}

void DimFacts::addLower(StringRef symbol, DimAttr bound) {
    addGreaterEqual(dimSymbol(state->ctx, symbol), bound);
}

void DimFacts::addUpper(StringRef symbol, DimAttr bound) {
    addGreaterEqual(bound, dimSymbol(state->ctx, symbol));
}

void DimFacts::addGreaterEqual(DimAttr a, DimAttr b) {
    state->registerSymbols(a);
    state->registerSymbols(b);
    state->assume(dimSub(a, b));
}

void DimFacts::addEqual(DimAttr a, DimAttr b) {
    state->registerSymbols(a);
    state->registerSymbols(b);
    state->assumeZero(dimSub(a, b));
}

void DimFacts::addNotEqual(DimAttr a, DimAttr b) {
    state->registerSymbols(a);
    state->registerSymbols(b);
    state->assumeNonzero(dimSub(a, b));
}

DimFacts::Mark DimFacts::mark() const { return {state->log.size()}; }

void DimFacts::rewind(Mark mark) { state->rewind(mark); }

bool DimFacts::contradictory() const { return state->contradiction; }

DimAttr DimFacts::canonical(DimAttr e) const {
    return withoutQuotientSymbols(state->simplify(state->substitute(e)));
}

Answer DimFacts::equal(DimAttr a, DimAttr b) const { return np::equal(*state, a, b); }

std::pair<int64_t, int64_t> DimFacts::range(DimAttr e) const {
    DimRange range = state->interval(state->simplify(state->substitute(e)));
    return {saturate(range.low), saturate(range.high)};
}

Answer DimFacts::greaterEqual(DimAttr a, DimAttr b) const {
    DimAttr e = state->simplify(state->substitute(dimSub(a, b)));
    if (state->proveNonNegative(e))
        return Answer::Yes;
    return state->proveNonNegative(dimPlus(dimNeg(e), -1)) ? Answer::No : Answer::Unknown;
}

Answer DimFacts::less(DimAttr a, DimAttr b) const { return greaterEqual(b, dimPlus(a, 1)); }

bool DimFacts::provesEqual(DimAttr a, DimAttr b) const {
    DimAttr e = state->simplify(state->substitute(dimSub(a, b)));
    if (e.isConst())
        return e.isConst(0);
    if (state->isNonzero(e))
        return false;
    return state->proveNonNegative(e) && state->proveNonNegative(dimNeg(e)) &&
           !state->proveNonNegative(dimPlus(e, -1));
}

bool DimFacts::provesGreaterEqual(DimAttr a, DimAttr b) const {
    return state->proveNonNegative(state->simplify(state->substitute(dimSub(a, b))));
}

bool DimFacts::provesLess(DimAttr a, DimAttr b) const {
    return provesGreaterEqual(b, dimPlus(a, 1));
}

} // namespace shapecast::np
