// Normal form and arithmetic of symbolic dimension expressions (parser and printer: dim_text.cpp).
//
// Arithmetic works on polynomials: a constant and terms (coefficient * sorted atoms). An atom is a
// symbol or a floordiv, mod, min, max, bcast or wrap. Constants are 64 bits: where folding would
// overflow the expression stays unfolded, with a constant as an atom, so that rewrites preserve the
// value.
#include "ir/dim.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace shapecast::np {
namespace {

// Products of sums with more terms are not expanded.
constexpr size_t maxTerms = 64;

struct Term {
    int64_t coefficient;
    SmallVector<DimAttr, 2> atoms; // sorted
};

struct Poly {
    int64_t constant = 0;
    SmallVector<Term, 4> terms;
};

DimAttr make(MLIRContext *ctx, DimKind kind, int64_t value, ArrayRef<DimAttr> operands) {
    return DimAttr::get(ctx, kind, value, StringRef(), operands);
}

int kindRank(DimKind kind) { return kind == DimKind::Symbol ? -1 : static_cast<int>(kind); }

int compareLists(ArrayRef<DimAttr> a, ArrayRef<DimAttr> b);

// A total order that does not depend on addresses, so that printed IR is deterministic.
int compareDims(DimAttr a, DimAttr b) {
    if (a == b)
        return 0;
    if (a.getKind() != b.getKind())
        return kindRank(a.getKind()) < kindRank(b.getKind()) ? -1 : 1;
    if (a.isSymbol()) {
        int order = a.getName().compare_numeric(b.getName());
        return order ? order : a.getName().compare(b.getName());
    }
    if (int order = compareLists(a.getOperands(), b.getOperands()))
        return order;
    return a.getValue() < b.getValue() ? -1 : 1;
}

int compareLists(ArrayRef<DimAttr> a, ArrayRef<DimAttr> b) {
    for (auto [x, y] : llvm::zip(a, b))
        if (int order = compareDims(x, y))
            return order;
    return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

bool dimLess(DimAttr a, DimAttr b) { return compareDims(a, b) < 0; }

Term termOf(DimAttr e) {
    if (e.getKind() == DimKind::Product)
        return {e.getValue(), llvm::to_vector<2>(e.getOperands())};
    return {1, {e}};
}

Poly polyOf(DimAttr e) {
    Poly poly;
    if (e.isConst()) {
        poly.constant = e.getValue();
    } else if (e.getKind() == DimKind::Sum) {
        poly.constant = e.getValue();
        for (DimAttr operand : e.getOperands())
            poly.terms.push_back(termOf(operand));
    } else {
        poly.terms.push_back(termOf(e));
    }
    return poly;
}

void addConstant(MLIRContext *ctx, Poly &poly, int64_t value) {
    int64_t sum;
    if (!llvm::AddOverflow(poly.constant, value, sum)) {
        poly.constant = sum;
        return;
    }
    poly.terms.push_back({1, {dimConst(ctx, std::min(value, poly.constant))}});
    poly.constant = std::max(value, poly.constant);
}

// Sorts and merges like terms.
void normalise(Poly &poly) {
    llvm::sort(poly.terms, [](const Term &a, const Term &b) {
        int order = compareLists(a.atoms, b.atoms);
        return order ? order < 0 : a.coefficient < b.coefficient;
    });
    SmallVector<Term, 4> merged;
    for (Term &term : poly.terms) {
        int64_t sum;
        if (!merged.empty() && merged.back().atoms == term.atoms &&
            !llvm::AddOverflow(merged.back().coefficient, term.coefficient, sum))
            merged.back().coefficient = sum;
        else
            merged.push_back(std::move(term));
        if (merged.back().coefficient == 0)
            merged.pop_back();
    }
    poly.terms = std::move(merged);
}

DimAttr attrOf(MLIRContext *ctx, const Term &term) {
    if (term.coefficient == 1 && term.atoms.size() == 1)
        return term.atoms.front();
    return make(ctx, DimKind::Product, term.coefficient, term.atoms);
}

DimAttr attrOf(MLIRContext *ctx, Poly poly) {
    normalise(poly);
    if (poly.terms.empty())
        return dimConst(ctx, poly.constant);
    SmallVector<DimAttr> operands;
    for (const Term &term : poly.terms)
        operands.push_back(attrOf(ctx, term));
    // A lone constant atom (left from an overflow that has since cancelled) is a constant.
    if (operands.size() == 1 && poly.constant == 0)
        return operands.front();
    if (operands.size() == 1 && operands.front().isConst()) {
        int64_t sum;
        if (!llvm::AddOverflow(poly.constant, operands.front().getValue(), sum))
            return dimConst(ctx, sum);
    }
    return make(ctx, DimKind::Sum, poly.constant, operands);
}

Term multiplyTerms(MLIRContext *ctx, const Term &a, const Term &b) {
    Term result{a.coefficient, a.atoms};
    result.atoms.append(b.atoms.begin(), b.atoms.end());
    if (llvm::MulOverflow(a.coefficient, b.coefficient, result.coefficient)) {
        result.coefficient = a.coefficient;
        result.atoms.push_back(dimConst(ctx, b.coefficient));
    }
    llvm::sort(result.atoms, dimLess);
    return result;
}

void addTerm(MLIRContext *ctx, Poly &poly, Term term) {
    if (term.coefficient == 0)
        return;
    if (term.atoms.empty())
        addConstant(ctx, poly, term.coefficient);
    else
        poly.terms.push_back(std::move(term));
}

// All terms of a sum, the constant as one without atoms.
SmallVector<Term, 4> allTerms(const Poly &poly) {
    SmallVector<Term, 4> terms = poly.terms;
    if (poly.constant != 0)
        terms.push_back({poly.constant, {}});
    return terms;
}

// For b > 0; neither can overflow.
int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }
int64_t floorRemainder(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }

// The divisor's constant, made positive by negating both sides; none when that is not possible.
std::optional<int64_t> positiveDivisor(DimAttr &a, DimAttr b) {
    if (!b.isConst() || b.getValue() == 0 || b.getValue() == INT64_MIN)
        return std::nullopt;
    if (b.getValue() < 0)
        a = dimNeg(a);
    return std::abs(b.getValue());
}

// e = divisor * quotient + rest, with each coefficient of rest no multiple of the divisor and 0 <=
// constant < divisor.
struct Split {
    Poly quotient, rest;
};

Split splitMultiples(const Poly &poly, int64_t divisor) {
    Split split;
    split.quotient.constant = floorDivide(poly.constant, divisor);
    split.rest.constant = floorRemainder(poly.constant, divisor);
    for (const Term &term : poly.terms) {
        if (term.coefficient % divisor == 0)
            split.quotient.terms.push_back({term.coefficient / divisor, term.atoms});
        else
            split.rest.terms.push_back(term);
    }
    return split;
}

// The greatest common divisor of the coefficients (not of the constant) and `divisor`; divides the
// polynomial by it, leaving the constant's remainder.
int64_t takeCommonFactor(Poly &poly, int64_t divisor, int64_t &remainder) {
    int64_t common = divisor;
    for (const Term &term : poly.terms)
        common = term.coefficient == INT64_MIN ? 1 : std::gcd(common, term.coefficient);
    remainder = 0;
    if (common == 1)
        return 1;
    for (Term &term : poly.terms)
        term.coefficient /= common;
    remainder = floorRemainder(poly.constant, common);
    poly.constant = floorDivide(poly.constant, common);
    return common;
}

// (floordiv(x, c) + k) divided by `divisor`, c a positive constant: nested floordivs become one.
bool mergeNested(MLIRContext *ctx, Poly &poly, int64_t &divisor) {
    if (poly.terms.size() != 1 || poly.terms[0].coefficient != 1 || poly.terms[0].atoms.size() != 1)
        return false;
    DimAttr inner = poly.terms[0].atoms[0];
    if (inner.getKind() != DimKind::FloorDiv || !inner.getOperands()[1].isConst())
        return false;
    int64_t innerDivisor = inner.getOperands()[1].getValue(), product, shift;
    if (innerDivisor <= 0 || llvm::MulOverflow(divisor, innerDivisor, product) ||
        llvm::MulOverflow(poly.constant, innerDivisor, shift))
        return false;
    poly = polyOf(dimAdd(inner.getOperands()[0], dimConst(ctx, shift)));
    divisor = product;
    return true;
}

// The floordiv of what remains after multiples of the divisor were taken out.
DimAttr floorDivRest(MLIRContext *ctx, Poly rest, int64_t divisor) {
    normalise(rest);
    if (rest.terms.empty())
        return dimConst(ctx, floorDivide(rest.constant, divisor));
    int64_t remainder;
    divisor /= takeCommonFactor(rest, divisor, remainder);
    if (divisor == 1)
        return attrOf(ctx, rest);
    if (mergeNested(ctx, rest, divisor))
        return dimFloorDiv(attrOf(ctx, rest), dimConst(ctx, divisor));
    // Canonical sign: floordiv(-x, c) is -floordiv(x + c - 1, c), so a ceiling has one form.
    if (rest.terms.front().coefficient < 0) {
        DimAttr flipped = dimAdd(dimNeg(attrOf(ctx, rest)), dimConst(ctx, divisor - 1));
        Poly again = polyOf(flipped);
        if (!again.terms.empty() && again.terms.front().coefficient > 0)
            return dimNeg(floorDivRest(ctx, again, divisor));
    }
    return make(ctx, DimKind::FloorDiv, 0, {attrOf(ctx, rest), dimConst(ctx, divisor)});
}

//===-- Fast paths without copies of the terms, for operands in normal form

// A sum's operand as coefficient and atoms, not copied (`e` itself is the storage of a lone atom).
struct TermRef {
    int64_t coefficient;
    ArrayRef<DimAttr> atoms;
};

TermRef termRef(const DimAttr &e) {
    if (e.getKind() == DimKind::Product)
        return {e.getValue(), e.getOperands()};
    return {1, ArrayRef<DimAttr>(e)};
}

// The terms of an expression that is no constant.
ArrayRef<DimAttr> termsOf(const DimAttr &e) {
    return e.getKind() == DimKind::Sum ? e.getOperands() : ArrayRef<DimAttr>(e);
}

DimAttr withCoefficient(MLIRContext *ctx, int64_t coefficient, ArrayRef<DimAttr> atoms) {
    return coefficient == 1 && atoms.size() == 1 ? atoms.front()
                                                 : make(ctx, DimKind::Product, coefficient, atoms);
}

DimAttr sumOf(MLIRContext *ctx, int64_t constant, ArrayRef<DimAttr> operands) {
    if (operands.empty())
        return dimConst(ctx, constant);
    return operands.size() == 1 && constant == 0 ? operands.front()
                                                 : make(ctx, DimKind::Sum, constant, operands);
}

// Constants as atoms and terms over the same atoms are left from overflows, which the general path
// handles.
bool isPlain(const DimAttr &e) {
    if (e.isConst())
        return true;
    ArrayRef<DimAttr> terms = termsOf(e);
    for (size_t k = 0; k < terms.size(); ++k)
        if (terms[k].isConst() || (k > 0 && termRef(terms[k - 1]).atoms == termRef(terms[k]).atoms))
            return false;
    return true;
}

// a + b by merging the sorted terms; null: the general path.
DimAttr addPlain(DimAttr a, DimAttr b) {
    int64_t constant;
    if (!isPlain(a) || !isPlain(b) || llvm::AddOverflow(dimConstant(a), dimConstant(b), constant))
        return {};
    MLIRContext *ctx = a.getContext();
    ArrayRef<DimAttr> left = a.isConst() ? ArrayRef<DimAttr>() : termsOf(a);
    ArrayRef<DimAttr> right = b.isConst() ? ArrayRef<DimAttr>() : termsOf(b);
    SmallVector<DimAttr, 8> merged;
    while (!left.empty() && !right.empty()) {
        TermRef x = termRef(left.front()), y = termRef(right.front());
        int order = compareLists(x.atoms, y.atoms);
        if (order == 0) {
            int64_t sum;
            if (llvm::AddOverflow(x.coefficient, y.coefficient, sum))
                return {};
            if (sum != 0)
                merged.push_back(withCoefficient(ctx, sum, x.atoms));
        } else {
            merged.push_back(order < 0 ? left.front() : right.front());
        }
        left = left.drop_front(order <= 0);
        right = right.drop_front(order >= 0);
    }
    llvm::append_range(merged, left);
    llvm::append_range(merged, right);
    return sumOf(ctx, constant, merged);
}

// factor * e, for a factor that is not 0; null: the general path.
DimAttr scalePlain(int64_t factor, DimAttr e) {
    int64_t constant, coefficient;
    if (e.isConst() || !isPlain(e) || llvm::MulOverflow(factor, dimConstant(e), constant))
        return {};
    SmallVector<DimAttr, 8> scaled;
    for (const DimAttr &term : termsOf(e)) {
        TermRef x = termRef(term);
        if (llvm::MulOverflow(factor, x.coefficient, coefficient))
            return {};
        scaled.push_back(withCoefficient(e.getContext(), coefficient, x.atoms));
    }
    return sumOf(e.getContext(), constant, scaled);
}

// a - b when that is a constant.
std::optional<int64_t> constantDifference(DimAttr a, DimAttr b) {
    DimAttr difference = dimSub(a, b);
    return difference.isConst() ? std::optional(difference.getValue()) : std::nullopt;
}

DimAttr makeMinMax(DimKind kind, DimAttr a, DimAttr b) {
    const bool isMin = kind == DimKind::Min;
    SmallVector<DimAttr> operands;
    auto add = [&](DimAttr e) {
        for (DimAttr &known : operands) {
            std::optional<int64_t> difference = constantDifference(e, known);
            if (!difference)
                continue;
            if (isMin == (*difference < 0))
                known = e;
            return;
        }
        operands.push_back(e);
    };
    for (DimAttr e : {a, b}) {
        if (e.getKind() != kind)
            add(e);
        else
            llvm::for_each(e.getOperands(), add);
    }
    // Absorption: min(a, max(a, b)) = a, and vice versa.
    DimKind other = isMin ? DimKind::Max : DimKind::Min;
    SmallVector<DimAttr> all = operands;
    llvm::erase_if(operands, [&](DimAttr e) {
        return e.getKind() == other &&
               llvm::any_of(e.getOperands(), [&](DimAttr x) { return llvm::is_contained(all, x); });
    });
    llvm::sort(operands, dimLess);
    operands.erase(llvm::unique(operands), operands.end());
    return operands.size() == 1 ? operands[0] : make(a.getContext(), kind, 0, operands);
}

// Values are computed in 128 bits, so that an intermediate result may leave 64 bits.
using Wide = __int128;
using WideValue = std::optional<Wide>;

WideValue addWide(Wide a, Wide b) {
    Wide result;
    return __builtin_add_overflow(a, b, &result) ? WideValue() : WideValue(result);
}

WideValue mulWide(Wide a, Wide b) {
    Wide result;
    return __builtin_mul_overflow(a, b, &result) ? WideValue() : WideValue(result);
}

bool fits64(Wide value) { return value == int64_t(value); }

Wide floorDivWide(Wide a, Wide b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

WideValue evaluateFold(DimAttr e, ArrayRef<Wide> values) {
    WideValue result = e.getValue();
    for (Wide value : values) {
        if (result)
            result =
                e.getKind() == DimKind::Sum ? addWide(*result, value) : mulWide(*result, value);
    }
    return result;
}

using SymbolValue = function_ref<std::optional<int64_t>(StringRef)>;

WideValue evaluate(DimAttr e, SymbolValue symbolValue) {
    SmallVector<Wide, 4> values;
    for (DimAttr operand : e.getOperands()) {
        WideValue value = evaluate(operand, symbolValue);
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    // Compiled code computes in 64 bits: sums and products that wrap around are right if the result
    // fits, other operations are not.
    const bool mayWrap = e.getKind() == DimKind::Sum || e.getKind() == DimKind::Product;
    if (!mayWrap && !llvm::all_of(values, fits64))
        return std::nullopt;
    switch (e.getKind()) {
    case DimKind::Const:
        return e.getValue();
    case DimKind::Symbol:
        if (std::optional<int64_t> value = symbolValue(e.getName()))
            return *value;
        return std::nullopt;
    case DimKind::Sum:
    case DimKind::Product:
        return evaluateFold(e, values);
    case DimKind::FloorDiv:
        return values[1] == 0 ? WideValue() : floorDivWide(values[0], values[1]);
    case DimKind::Mod:
        return values[1] == 0 ? WideValue()
                              : values[0] - values[1] * floorDivWide(values[0], values[1]);
    case DimKind::Min:
        return *llvm::min_element(values);
    case DimKind::Max:
        return *llvm::max_element(values);
    case DimKind::Bcast:
        return values[0] == 1 ? 0 : 1;
    case DimKind::Broadcast: {
        auto *first = llvm::find_if(values, [](Wide value) { return value != 1; });
        return first == values.end() ? Wide(1) : *first;
    }
    case DimKind::Wrap:
        return values[0] < 0 ? addWide(values[0], values[1]) : values[0];
    }
    return std::nullopt;
}

} // namespace

DimAttr dimConst(MLIRContext *ctx, int64_t value) { return make(ctx, DimKind::Const, value, {}); }

DimAttr dimSymbol(MLIRContext *ctx, StringRef name) {
    return DimAttr::get(ctx, DimKind::Symbol, 0, name, {});
}

DimAttr dimAdd(DimAttr a, DimAttr b) {
    MLIRContext *ctx = a.getContext();
    if (a.isConst(0) || b.isConst(0))
        return a.isConst(0) ? b : a;
    if (DimAttr sum = addPlain(a, b))
        return sum;
    Poly sum = polyOf(a), other = polyOf(b);
    sum.terms.append(other.terms);
    addConstant(ctx, sum, other.constant);
    return attrOf(ctx, std::move(sum));
}

DimAttr dimNeg(DimAttr a) { return dimMul(dimConst(a.getContext(), -1), a); }

DimAttr dimPlus(DimAttr a, int64_t b) { return dimAdd(a, dimConst(a.getContext(), b)); }

DimAttr dimSub(DimAttr a, DimAttr b) {
    return a == b ? dimConst(a.getContext(), 0) : dimAdd(a, dimNeg(b));
}

DimAttr dimMul(DimAttr a, DimAttr b) {
    MLIRContext *ctx = a.getContext();
    if (a.isConst(1) || b.isConst(1))
        return a.isConst(1) ? b : a;
    for (auto [factor, e] : {std::pair(a, b), std::pair(b, a)})
        if (factor.isConst() && factor.getValue() != 0)
            if (DimAttr product = scalePlain(factor.getValue(), e))
                return product;
    SmallVector<Term, 4> left = allTerms(polyOf(a)), right = allTerms(polyOf(b));
    if (left.size() > 1 && right.size() > 1 && left.size() * right.size() > maxTerms) {
        left = {{1, {a}}}; // sums as atoms
        right = {{1, {b}}};
    }
    Poly product;
    for (const Term &x : left)
        for (const Term &y : right)
            addTerm(ctx, product, multiplyTerms(ctx, x, y));
    return attrOf(ctx, std::move(product));
}

DimAttr dimFloorDiv(DimAttr a, DimAttr b) {
    MLIRContext *ctx = a.getContext();
    std::optional<int64_t> divisor = positiveDivisor(a, b);
    if (!divisor)
        return make(ctx, DimKind::FloorDiv, 0, {a, b});
    if (*divisor == 1)
        return a;
    Split split = splitMultiples(polyOf(a), *divisor);
    return dimAdd(attrOf(ctx, split.quotient), floorDivRest(ctx, split.rest, *divisor));
}

DimAttr dimCeilDiv(DimAttr a, DimAttr b) { return dimNeg(dimFloorDiv(dimNeg(a), b)); }

DimAttr dimMod(DimAttr a, DimAttr b) {
    MLIRContext *ctx = a.getContext();
    std::optional<int64_t> divisor = positiveDivisor(a, b);
    if (!divisor)
        return make(ctx, DimKind::Mod, 0, {a, b});
    if (*divisor == 1)
        return dimConst(ctx, 0);
    // mod(a, -c) = -mod(-a, c)
    if (b.getValue() < 0)
        return dimNeg(dimMod(a, dimConst(ctx, *divisor)));
    Poly rest = splitMultiples(polyOf(a), *divisor).rest;
    for (Term &term : rest.terms)
        term.coefficient %= *divisor;
    normalise(rest);
    if (rest.terms.empty())
        return dimConst(ctx, rest.constant);
    int64_t remainder;
    int64_t common = takeCommonFactor(rest, *divisor, remainder);
    DimAttr result = dimConst(ctx, 0);
    if (common != *divisor)
        result = make(ctx, DimKind::Mod, 0, {attrOf(ctx, rest), dimConst(ctx, *divisor / common)});
    return dimAdd(dimMul(dimConst(ctx, common), result), dimConst(ctx, remainder));
}

DimAttr dimMin(DimAttr a, DimAttr b) { return makeMinMax(DimKind::Min, a, b); }
DimAttr dimMax(DimAttr a, DimAttr b) { return makeMinMax(DimKind::Max, a, b); }

DimAttr dimBcast(DimAttr a) {
    if (a.isConst())
        return dimConst(a.getContext(), a.isConst(1) ? 0 : 1);
    return make(a.getContext(), DimKind::Bcast, 0, {a});
}

DimAttr dimBroadcast(DimAttr a, DimAttr b) {
    SmallVector<DimAttr> operands;
    auto add = [&](DimAttr e) {
        // Operands after a constant other than 1 are never reached (1 itself is never added).
        const bool isUnreachable = !operands.empty() && operands.back().isConst();
        if (!isUnreachable && !e.isConst(1) && !llvm::is_contained(operands, e))
            operands.push_back(e);
    };
    for (DimAttr e : {a, b}) {
        if (e.getKind() != DimKind::Broadcast)
            add(e);
        else
            llvm::for_each(e.getOperands(), add);
    }
    if (operands.empty())
        return dimConst(a.getContext(), 1);
    return operands.size() == 1 ? operands[0]
                                : make(a.getContext(), DimKind::Broadcast, 0, operands);
}

DimAttr dimWrap(DimAttr index, DimAttr size) {
    if (index.isConst())
        return index.getValue() < 0 ? dimAdd(index, size) : index;
    return make(index.getContext(), DimKind::Wrap, 0, {index, size});
}

//===-- Traversal

DimAttr dimWithOperands(DimAttr e, ArrayRef<DimAttr> operands) {
    auto fold = [&](DimAttr start, DimAttr (*combine)(DimAttr, DimAttr)) {
        return llvm::accumulate(operands, start, combine);
    };
    switch (e.getKind()) {
    case DimKind::Const:
    case DimKind::Symbol:
        return e;
    case DimKind::Sum:
        return fold(dimConst(e.getContext(), e.getValue()), dimAdd);
    case DimKind::Product:
        return fold(dimConst(e.getContext(), e.getValue()), dimMul);
    case DimKind::FloorDiv:
        return dimFloorDiv(operands[0], operands[1]);
    case DimKind::Mod:
        return dimMod(operands[0], operands[1]);
    case DimKind::Min:
        return fold(operands[0], dimMin);
    case DimKind::Max:
        return fold(operands[0], dimMax);
    case DimKind::Bcast:
        return dimBcast(operands[0]);
    case DimKind::Broadcast:
        return fold(dimConst(e.getContext(), 1), dimBroadcast);
    case DimKind::Wrap:
        return dimWrap(operands[0], operands[1]);
    }
    return e;
}

DimAttr dimSubstitute(DimAttr e, function_ref<DimAttr(StringRef)> replacement) {
    if (e.isConst())
        return e;
    if (e.isSymbol()) {
        DimAttr with = replacement(e.getName());
        return with ? with : e;
    }
    SmallVector<DimAttr, 4> operands;
    for (DimAttr operand : e.getOperands())
        operands.push_back(dimSubstitute(operand, replacement));
    if (ArrayRef<DimAttr>(operands) == e.getOperands())
        return e;
    return dimWithOperands(e, operands);
}

void dimSymbols(DimAttr e, function_ref<void(StringRef)> callback) {
    if (e.isSymbol())
        callback(e.getName());
    for (DimAttr operand : e.getOperands())
        dimSymbols(operand, callback);
}

bool dimUses(DimAttr e, StringRef symbol) {
    if (e.isSymbol())
        return e.getName() == symbol;
    return llvm::any_of(e.getOperands(), [&](DimAttr operand) { return dimUses(operand, symbol); });
}

static unsigned countNodes(DimAttr e, unsigned limit) {
    unsigned nodes = 1;
    for (DimAttr operand : e.getOperands())
        if (nodes < limit)
            nodes += countNodes(operand, limit - nodes);
    return nodes;
}

unsigned dimWeight(DimAttr e, unsigned limit) {
    if (e.isConst() || e.isSymbol())
        return 0;
    unsigned weight = 0;
    for (const DimAttr &term : termsOf(e)) {
        const bool isLinear = termRef(term).atoms.size() == 1 && termRef(term).atoms[0].isSymbol();
        if (!isLinear && weight < limit)
            weight += countNodes(term, limit - weight);
    }
    return weight;
}

// The product of both sizes of an image after a convolution over a kernel of any size weighs 12,
// after two 27, with strides twice as much.
bool dimIsHeavy(DimAttr e) {
    constexpr unsigned maxWeight = 32;
    return dimWeight(e, maxWeight + 1) > maxWeight;
}

std::optional<DimLinear> dimLinearIn(DimAttr e, StringRef symbol) {
    Poly poly = polyOf(e), rest;
    rest.constant = poly.constant;
    int64_t coefficient = 0;
    for (const Term &term : poly.terms) {
        if (llvm::none_of(term.atoms, [&](DimAttr atom) { return dimUses(atom, symbol); }))
            rest.terms.push_back(term);
        else if (term.atoms.size() != 1 || !term.atoms[0].isSymbol() ||
                 llvm::AddOverflow(coefficient, term.coefficient, coefficient))
            return std::nullopt;
    }
    return DimLinear{coefficient, attrOf(e.getContext(), std::move(rest))};
}

SmallVector<DimTerm, 4> dimTerms(DimAttr e) {
    SmallVector<DimTerm, 4> terms;
    if (e.isConst())
        return terms;
    for (const DimAttr &term : termsOf(e)) {
        auto [coefficient, atoms] = termRef(term);
        DimAttr monomial = coefficient == 1 ? term : withCoefficient(e.getContext(), 1, atoms);
        terms.push_back({coefficient, monomial});
    }
    return terms;
}

int64_t dimConstant(DimAttr e) {
    return e.isConst() || e.getKind() == DimKind::Sum ? e.getValue() : 0;
}

std::optional<int64_t> dimEvaluate(DimAttr e,
                                   function_ref<std::optional<int64_t>(StringRef)> value) {
    WideValue result = evaluate(e, value);
    if (!result || *result < INT64_MIN || *result > INT64_MAX)
        return std::nullopt;
    return static_cast<int64_t>(*result);
}

std::optional<DimParts> dimPartsIn(DimAttr e, DimAttr symbol) {
    DimAttr zero = dimConst(e.getContext(), 0);
    StringRef name = symbol.getName();
    DimParts parts{zero, zero};
    auto addTerm = [&](DimAttr term) {
        if (!dimUses(term, name)) {
            parts.rest = dimAdd(parts.rest, term);
            return true;
        }
        DimAttr coefficient = dimConst(e.getContext(), 1);
        if (term != symbol) {
            if (term.getKind() != DimKind::Product)
                return false;
            coefficient = dimConst(e.getContext(), term.getValue());
            int seen = 0;
            for (DimAttr atom : term.getOperands()) {
                if (atom == symbol)
                    ++seen;
                else if (dimUses(atom, name))
                    return false;
                else
                    coefficient = dimMul(coefficient, atom);
            }
            if (seen != 1)
                return false;
        }
        parts.coefficient = dimAdd(parts.coefficient, coefficient);
        return true;
    };
    if (e.getKind() != DimKind::Sum)
        return addTerm(e) ? std::optional(parts) : std::nullopt;
    parts.rest = dimConst(e.getContext(), e.getValue());
    for (DimAttr term : e.getOperands())
        if (!addTerm(term))
            return std::nullopt;
    return parts;
}

} // namespace shapecast::np
