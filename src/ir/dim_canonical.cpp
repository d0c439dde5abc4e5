// Simplification of expressions by the facts about their symbols: see the header.
#include "ir/dim_canonical.h"

#include "ir/dim_prover.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace shapecast::np {
namespace {

bool hasFunction(DimAttr e) {
    switch (e.getKind()) {
    case DimKind::Const:
    case DimKind::Symbol:
        return false;
    case DimKind::Sum:
    case DimKind::Product:
        return llvm::any_of(e.getOperands(), hasFunction);
    default:
        return true;
    }
}

DimAttr rewrite(DimAttr e, function_ref<DimAttr(DimAttr)> node) {
    if (!hasFunction(e))
        return e;
    SmallVector<DimAttr, 4> operands;
    for (DimAttr operand : e.getOperands())
        operands.push_back(rewrite(operand, node));
    if (ArrayRef<DimAttr>(operands) != e.getOperands())
        e = dimWithOperands(e, operands);
    return node(e);
}

// coefficient * atoms; a constant has no atoms.
struct Monomial {
    int64_t coefficient;
    SmallVector<DimAttr, 4> atoms;

    // Divides by the atom, if it occurs.
    bool divideBy(DimAttr atom) {
        auto *found = llvm::find(atoms, atom);
        if (found == atoms.end())
            return false;
        atoms.erase(found);
        return true;
    }
    // Divides by the factor, if that is exact.
    bool divideBy(const Monomial &factor) {
        Monomial rest = *this;
        if (factor.coefficient == 0 || coefficient == INT64_MIN ||
            coefficient % factor.coefficient != 0 ||
            !llvm::all_of(factor.atoms, [&](DimAttr atom) { return rest.divideBy(atom); }))
            return false;
        atoms = rest.atoms;
        coefficient /= factor.coefficient;
        return true;
    }
    DimAttr attr(MLIRContext *ctx) const {
        DimAttr product = dimConst(ctx, coefficient);
        for (DimAttr atom : atoms)
            product = dimMul(product, atom);
        return product;
    }
};

Monomial monomialOf(const DimTerm &term) {
    if (term.monomial.getKind() != DimKind::Product)
        return {term.coefficient, {term.monomial}};
    return {term.coefficient, llvm::to_vector<4>(term.monomial.getOperands())};
}

// Of a sum; its constant is one without atoms.
SmallVector<Monomial, 4> monomialsOf(DimAttr e) {
    SmallVector<Monomial, 4> result;
    for (const DimTerm &term : dimTerms(e))
        result.push_back(monomialOf(term));
    if (int64_t constant = dimConstant(e))
        result.push_back({constant, {}});
    return result;
}

DimAttr sumOf(MLIRContext *ctx, ArrayRef<Monomial> terms) {
    DimAttr sum = dimConst(ctx, 0);
    for (const Monomial &term : terms)
        sum = dimAdd(sum, term.attr(ctx));
    return sum;
}

bool isPositiveConst(DimAttr e) { return e.isConst() && e.getValue() > 0; }

// coefficient * atoms with an exact quotient floordiv(s, n) among them: n cancels against the
// coefficient as far as possible: 6 * floordiv(s, 4) is s + floordiv(s, 2).
DimAttr cancelled(Monomial term, DimAttr quotient) {
    DimAttr dividend = quotient.getOperands()[0];
    MLIRContext *ctx = dividend.getContext();
    const int64_t divisor = quotient.getOperands()[1].getValue();
    term.divideBy(quotient);
    Monomial rest = term;
    term.atoms.push_back(dividend);
    term.coefficient /= divisor;
    rest.coefficient %= divisor;
    const int64_t common = std::gcd(rest.coefficient, divisor);
    rest.coefficient /= common;
    DimAttr remaining = dimFloorDiv(dividend, dimConst(ctx, divisor / common));
    return dimAdd(term.attr(ctx), dimMul(rest.attr(ctx), remaining));
}

// The same for n * mod(floordiv(s, n), d), which is mod(s, n * d).
DimAttr cancelled(Monomial term, DimAttr mod, DimAttr quotient) {
    DimAttr dividend = quotient.getOperands()[0];
    DimAttr divisor = quotient.getOperands()[1];
    term.divideBy(mod);
    term.coefficient /= divisor.getValue();
    DimAttr rest = dimMod(dividend, dimMul(divisor, mod.getOperands()[1]));
    return dimMul(term.attr(dividend.getContext()), rest);
}

DimAttr cancelExactQuotients(DimAttr e, ArrayRef<DimAttr> exact) {
    if (e.getKind() != DimKind::Sum && e.getKind() != DimKind::Product)
        return e;
    MLIRContext *ctx = e.getContext();
    DimAttr sum = dimConst(ctx, dimConstant(e));
    for (const DimTerm &term : dimTerms(e)) {
        const Monomial product = monomialOf(term);
        DimAttr known = product.attr(ctx);
        for (DimAttr atom : product.atoms) {
            const bool isMod = atom.getKind() == DimKind::Mod && atom.getOperands()[1].isConst();
            DimAttr quotient = isMod ? atom.getOperands()[0] : atom;
            if (!llvm::is_contained(exact, quotient))
                continue;
            if (!isMod)
                known = cancelled(product, quotient);
            else if (product.coefficient % quotient.getOperands()[1].getValue() == 0)
                known = cancelled(product, atom, quotient);
            break;
        }
        sum = dimAdd(sum, known);
    }
    return sum;
}

// What a symbol s/n stands for: floordiv(s, n).
std::optional<DimAttr> meaningOfQuotient(DimAttr e) {
    int64_t divisor;
    if (!e.isSymbol())
        return std::nullopt;
    const auto [name, number] = e.getName().rsplit('/');
    if (number.empty() || number.getAsInteger(10, divisor))
        return std::nullopt;
    return dimFloorDiv(dimSymbol(e.getContext(), name), dimConst(e.getContext(), divisor));
}

DimAttr withoutQuotientSymbols(DimAttr e, SmallVectorImpl<DimAttr> &exact) {
    if (std::optional<DimAttr> quotient = meaningOfQuotient(e)) {
        if (!llvm::is_contained(exact, *quotient))
            exact.push_back(*quotient);
        return *quotient;
    }
    SmallVector<DimAttr, 4> operands;
    for (DimAttr operand : e.getOperands())
        operands.push_back(withoutQuotientSymbols(operand, exact));
    if (ArrayRef<DimAttr>(operands) == e.getOperands())
        return e;
    return cancelExactQuotients(dimWithOperands(e, operands), exact);
}

class Simplifier {
public:
    explicit Simplifier(const DimKnowledge &known) : known(known), ctx(known.ctx) {}

    DimAttr simplify(DimAttr e) const;
    DimAttr simplifyByResidues(DimAttr e) const;

private:
    DimAttr simplifyNode(DimAttr e) const;
    DimAttr simplifyMinMax(DimAttr e) const;
    DimAttr simplifyFloorDiv(DimAttr e) const;
    DimAttr simplifyBroadcast(DimAttr e) const;
    std::optional<int64_t> remainder(DimAttr mod, bool useRanges) const;
    DimAttr simplifyQuotients(DimAttr e, bool useRanges) const;
    DimAttr simplifyByCongruence(DimAttr e) const;
    DimAttr cancelDivision(const DimTerm &term, bool useRanges) const;
    DimAttr withoutCommonFactors(DimAttr dividend, DimAttr divisor) const;

    Answer equal(DimAttr a, DimAttr b) const { return np::equal(known, a, b); }
    bool proveNonNegative(DimAttr e) const { return np::proveNonNegative(known, e); }

    const DimKnowledge &known;
    mlir::MLIRContext *ctx;
};

DimAttr Simplifier::simplify(DimAttr e) const {
    return rewrite(e, [&](DimAttr node) { return simplifyNode(node); });
}

DimAttr Simplifier::simplifyByResidues(DimAttr e) const {
    return rewrite(e, [&](DimAttr node) { return simplifyQuotients(node, /*useRanges=*/false); });
}

DimAttr Simplifier::simplifyNode(DimAttr e) const {
    auto operand = [&](unsigned i) { return e.getOperands()[i]; };
    switch (e.getKind()) {
    case DimKind::Min:
    case DimKind::Max:
        return simplifyMinMax(e);
    case DimKind::Sum:
    case DimKind::Product:
        return simplifyQuotients(e, /*useRanges=*/true);
    case DimKind::FloorDiv:
        return simplifyFloorDiv(e);
    case DimKind::Mod: {
        if (std::optional<int64_t> rest = remainder(e, /*useRanges=*/true))
            return dimConst(ctx, *rest);
        DimAttr quotient = simplify(known.substitute(dimFloorDiv(operand(0), operand(1))));
        return hasFunction(quotient) ? e : dimSub(operand(0), dimMul(quotient, operand(1)));
    }
    case DimKind::Bcast: {
        Answer isOne = equal(operand(0), dimConst(ctx, 1));
        return isOne == Answer::Unknown ? e : dimConst(ctx, isOne == Answer::No);
    }
    case DimKind::Broadcast:
        return simplifyBroadcast(e);
    case DimKind::Wrap:
        if (proveNonNegative(operand(0)))
            return operand(0);
        if (proveNonNegative(dimPlus(dimNeg(operand(0)), -1)))
            return dimAdd(operand(0), operand(1));
        return e;
    default:
        return e;
    }
}

DimAttr Simplifier::simplifyMinMax(DimAttr e) const {
    bool isMin = e.getKind() == DimKind::Min;
    SmallVector<DimAttr, 4> kept;
    for (DimAttr candidate : e.getOperands()) {
        auto isDominated = [&](DimAttr by, DimAttr e) {
            return proveNonNegative(isMin ? dimSub(e, by) : dimSub(by, e));
        };
        if (llvm::any_of(kept, [&](DimAttr other) { return isDominated(other, candidate); }))
            continue;
        llvm::erase_if(kept, [&](DimAttr other) { return isDominated(candidate, other); });
        kept.push_back(candidate);
    }
    return kept.size() == e.getOperands().size() ? e : dimWithOperands(e, kept);
}

DimAttr Simplifier::simplifyBroadcast(DimAttr e) const {
    const DimAttr one = dimConst(ctx, 1);
    SmallVector<DimAttr, 4> kept;
    for (DimAttr candidate : e.getOperands()) {
        const Answer isOne = equal(candidate, one);
        const bool isKnown = isOne == Answer::Yes || llvm::any_of(kept, [&](DimAttr other) {
                                 return equal(other, candidate) == Answer::Yes;
                             });
        if (!isKnown)
            kept.push_back(candidate);
        if (isOne == Answer::No)
            break;
    }
    DimAttr result = one;
    for (DimAttr operand : kept)
        result = dimBroadcast(result, operand);
    return result;
}

//===-- Quotients

// The value of a mod, where it is known.
std::optional<int64_t> Simplifier::remainder(DimAttr mod, bool useRanges) const {
    if (mod.isConst())
        return mod.getValue();
    const Congruence congruence = known.congruence(mod);
    if (congruence.modulus == 0)
        return congruence.residue;
    const DimRange range = useRanges ? known.interval(mod) : DimRange();
    if (!range.isPoint() || range.low < INT64_MIN || range.low > INT64_MAX)
        return std::nullopt;
    return static_cast<int64_t>(range.low);
}

DimAttr Simplifier::simplifyQuotients(DimAttr e, bool useRanges) const {
    switch (e.getKind()) {
    case DimKind::Mod: {
        std::optional<int64_t> rest = remainder(e, useRanges);
        return rest ? dimConst(ctx, *rest) : e;
    }
    case DimKind::FloorDiv:
        return known.congruences.empty() ? e : simplifyByCongruence(e);
    case DimKind::Sum:
    case DimKind::Product: {
        SmallVector<DimAttr, 4> terms;
        bool changed = false;
        for (const DimTerm &term : dimTerms(e)) {
            terms.push_back(dimMul(dimConst(ctx, term.coefficient), term.monomial));
            if (DimAttr shorter = cancelDivision(term, useRanges)) {
                terms.back() = shorter;
                changed = true;
            }
        }
        return changed ? llvm::accumulate(terms, dimConst(ctx, dimConstant(e)), dimAdd) : e;
    }
    default:
        return e;
    }
}

// floordiv(a, d) for a constant d. With a == r (mod g) for a g that divides d, it is
// floordiv(a - r, d); and of a sum, the terms whose remainder by d is known are divided separately.
DimAttr Simplifier::simplifyByCongruence(DimAttr e) const {
    DimAttr dividend = e.getOperands()[0], divisor = e.getOperands()[1];
    if (!isPositiveConst(divisor))
        return e;
    const int64_t d = divisor.getValue();
    DimAttr quotient = dimConst(ctx, 0), rest = dimConst(ctx, dimConstant(dividend));
    for (const DimTerm &term : dimTerms(dividend)) {
        DimAttr summand = dimMul(dimConst(ctx, term.coefficient), term.monomial);
        if (std::optional<int64_t> residue = known.congruence(summand).remainder(d)) {
            quotient = dimAdd(quotient, dimFloorDiv(dimPlus(summand, -*residue), divisor));
            summand = dimConst(ctx, *residue);
        }
        rest = dimAdd(rest, summand);
    }
    const Congruence congruence = known.congruence(rest);
    if (const int64_t common = std::gcd(congruence.modulus, d); common > 1)
        rest = dimPlus(rest, -*congruence.remainder(common));
    return dimAdd(quotient, dimFloorDiv(rest, divisor));
}

// A term that is a multiple of d * floordiv(a, d) where the remainder of a by d is known: without
// the division, or with a smaller divisor. Null for other terms.
DimAttr Simplifier::cancelDivision(const DimTerm &term, bool useRanges) const {
    const Monomial product = monomialOf(term);
    for (DimAttr atom : product.atoms) {
        if (atom.getKind() != DimKind::FloorDiv)
            continue;
        DimAttr dividend = atom.getOperands()[0], divisor = atom.getOperands()[1];
        Monomial others = product;
        others.divideBy(atom);
        int64_t left = 1; // what remains of the divisor
        if (isPositiveConst(divisor)) {
            left = divisor.getValue() / std::gcd(others.coefficient, divisor.getValue());
            if (left == divisor.getValue() || others.coefficient == INT64_MIN)
                continue;
            others.coefficient /= divisor.getValue() / left;
        } else if (divisor.isConst() || divisor.getKind() == DimKind::Sum ||
                   !others.divideBy(monomialOf(dimTerms(divisor).front()))) {
            continue;
        }
        if (std::optional<int64_t> rest = remainder(dimMod(dividend, divisor), useRanges))
            return dimMul(others.attr(ctx),
                          dimFloorDiv(dimPlus(dividend, -*rest), dimConst(ctx, left)));
    }
    return {};
}

// Cancels common factors that are not zero; null where there are none.
DimAttr Simplifier::withoutCommonFactors(DimAttr dividend, DimAttr divisor) const {
    SmallVector<Monomial, 4> top = monomialsOf(dividend), bottom = monomialsOf(divisor);
    auto all = [&](function_ref<bool(Monomial &)> test) {
        return llvm::all_of(top, test) && llvm::all_of(bottom, test);
    };
    int64_t common = 0;
    if (all([](Monomial &term) { return term.coefficient != INT64_MIN; }))
        all([&](Monomial &term) { return common = std::gcd(common, term.coefficient), true; });
    SmallVector<DimAttr, 4> candidates =
        bottom.empty() ? SmallVector<DimAttr, 4>() : bottom[0].atoms;
    const DimAttr zero = dimConst(ctx, 0);
    bool changed = false;
    for (DimAttr atom : candidates) {
        if (!all([&](Monomial &term) { return llvm::is_contained(term.atoms, atom); }) ||
            equal(atom, zero) != Answer::No)
            continue;
        all([&](Monomial &term) { return term.divideBy(atom); });
        changed = true;
    }
    if (common > 1) {
        all([&](Monomial &term) { return term.coefficient /= common, true; });
        changed = true;
    }
    return changed ? dimFloorDiv(sumOf(ctx, top), sumOf(ctx, bottom)) : DimAttr();
}

// Terms that are multiples of the divisor are divided exactly, if it is known not to be zero.
DimAttr Simplifier::simplifyFloorDiv(DimAttr e) const {
    DimAttr divisor = e.getOperands()[1];
    if (!divisor.isConst())
        if (DimAttr shorter = withoutCommonFactors(e.getOperands()[0], divisor))
            return simplify(shorter);
    const DimAttr zero = dimConst(ctx, 0);
    SmallVector<Monomial, 4> quotient, rest;
    const bool isMonomial = !divisor.isConst() && divisor.getKind() != DimKind::Sum &&
                            equal(divisor, zero) == Answer::No;
    for (Monomial &term : monomialsOf(e.getOperands()[0])) {
        const bool divides = isMonomial && term.divideBy(monomialOf(dimTerms(divisor).front()));
        (divides ? quotient : rest).push_back(term);
    }
    DimAttr exact = sumOf(ctx, quotient), left = sumOf(ctx, rest);
    // 0 <= left < divisor
    if (proveNonNegative(left) && proveNonNegative(dimPlus(dimSub(divisor, left), -1)))
        return exact;
    if (!quotient.empty())
        return dimAdd(exact, dimFloorDiv(left, divisor));
    DimAttr simpler = simplifyQuotients(e, /*useRanges=*/true);
    return simpler == e ? e : simplify(simpler);
}

} // namespace

DimAttr quotientSymbol(DimAttr symbol, int64_t divisor) {
    const auto [name, number] = symbol.getName().rsplit('/');
    int64_t known = 1, product;
    if (!number.empty() && number.getAsInteger(10, known))
        return {};
    if (llvm::MulOverflow(known, divisor, product))
        return {};
    return dimSymbol(symbol.getContext(), (name + "/" + Twine(product)).str());
}

DimAttr withoutQuotientSymbols(DimAttr e) {
    SmallVector<DimAttr> exact;
    return withoutQuotientSymbols(e, exact);
}

DimAttr simplify(const DimKnowledge &known, DimAttr e) { return Simplifier(known).simplify(e); }

DimAttr simplifyByResidues(const DimKnowledge &known, DimAttr e) {
    return Simplifier(known).simplifyByResidues(e);
}

bool isNonzero(const DimKnowledge &known, DimAttr e) {
    const Congruence congruence = known.congruence(e);
    return isIndivisible(e) || (congruence.modulus != 1 && congruence.residue != 0) ||
           llvm::is_contained(known.nonzero, nonzeroForm(e));
}

Answer equal(const DimKnowledge &known, DimAttr a, DimAttr b) {
    DimAttr e = simplify(known, known.substitute(dimSub(a, b)));
    if (e.isConst())
        return e.isConst(0) ? Answer::Yes : Answer::No;
    if (isNonzero(known, e))
        return Answer::No;
    DimAttr negated = dimNeg(e);
    if (proveNonNegative(known, e)) {
        if (proveNonNegative(known, dimPlus(e, -1)))
            return Answer::No;
        return proveNonNegative(known, negated) ? Answer::Yes : Answer::Unknown;
    }
    return proveNonNegative(known, dimPlus(negated, -1)) ? Answer::No : Answer::Unknown;
}

} // namespace shapecast::np
