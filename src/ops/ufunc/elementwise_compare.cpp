// Comparisons, logical operations, and classification of floats (isnan, ...).
#include "ops/ufunc/emit.h"

#include <cmath>

namespace shapecast {

using mlir::Value;
using Operands = llvm::ArrayRef<Scalar>;

namespace {

enum class Relation { Lt, Le, Gt, Ge, Eq, Ne };

Relation mirrored(Relation r) {
    switch (r) {
    case Relation::Lt:
        return Relation::Gt;
    case Relation::Le:
        return Relation::Ge;
    case Relation::Gt:
        return Relation::Lt;
    case Relation::Ge:
        return Relation::Le;
    default:
        return r;
    }
}

Value compareReals(Emit &e, Relation r, Value a, Value b, bool isUnsigned) {
    switch (r) {
    case Relation::Lt:
        return e.lt(a, b, isUnsigned);
    case Relation::Le:
        return e.le(a, b, isUnsigned);
    case Relation::Gt:
        return e.gt(a, b, isUnsigned);
    case Relation::Ge:
        return e.ge(a, b, isUnsigned);
    case Relation::Eq:
        return e.eq(a, b);
    case Relation::Ne:
        return e.ne(a, b);
    }
    return {};
}

// int64 with uint64, exactly: a negative number is less than every unsigned one.
Value compareMixed(Emit &e, Relation r, Value isSigned, Value isUnsigned) {
    const Value below = e.isNegative(isSigned);
    const Value rest = compareReals(e, r, isSigned, isUnsigned, true);
    const bool whenBelow = r == Relation::Lt || r == Relation::Le || r == Relation::Ne;
    return whenBelow ? e.ori(below, rest) : e.andi(e.invert(below), rest);
}

// By real part, then imaginary part; NaN makes all but != false.
Value compareComplex(Emit &e, Relation r, Scalar a, Scalar b) {
    if (r == Relation::Eq)
        return e.andi(e.eq(a.re, b.re), e.eq(a.im, b.im));
    if (r == Relation::Ne)
        return e.ori(e.ne(a.re, b.re), e.ne(a.im, b.im));
    const bool less = r == Relation::Lt || r == Relation::Le;
    const Value outer = less ? e.lt(a.re, b.re) : e.gt(a.re, b.re);
    const Value noNan = e.compare(Emit::Order::ORD, a.im, b.im);
    const Value inner = compareReals(e, r, a.im, b.im, false);
    return e.ori(e.andi(outer, noNan), e.andi(e.eq(a.re, b.re), inner));
}

template <Relation relation> Scalar emitCompare(Emit &e, const Loop &loop, Operands x) {
    const DType a = loop.in[0], b = loop.in[1];
    if (isComplex(a))
        return {compareComplex(e, relation, x[0], x[1]), nullptr};
    if (a == DType::I64 && b == DType::U64)
        return {compareMixed(e, relation, x[0].re, x[1].re), nullptr};
    if (a == DType::U64 && b == DType::I64)
        return {compareMixed(e, mirrored(relation), x[1].re, x[0].re), nullptr};
    return {compareReals(e, relation, x[0].re, x[1].re, isBool(a) || isUnsigned(a)), nullptr};
}

Scalar emitLogicalAnd(Emit &e, const Loop &loop, Operands x) {
    return {e.andi(emitTruth(e, loop.in[0], x[0]), emitTruth(e, loop.in[1], x[1])), nullptr};
}
Scalar emitLogicalOr(Emit &e, const Loop &loop, Operands x) {
    return {e.ori(emitTruth(e, loop.in[0], x[0]), emitTruth(e, loop.in[1], x[1])), nullptr};
}
Scalar emitLogicalXor(Emit &e, const Loop &loop, Operands x) {
    return {e.xori(emitTruth(e, loop.in[0], x[0]), emitTruth(e, loop.in[1], x[1])), nullptr};
}
Scalar emitLogicalNot(Emit &e, const Loop &loop, Operands x) {
    return {e.invert(emitTruth(e, loop.in[0], x[0])), nullptr};
}

// Predicates of each part of a complex number, combined by `or` (isnan, isinf) or `and` (isfinite).
Scalar emitIsNan(Emit &e, const Loop &loop, Operands x) {
    if (!isFloat(loop.in[0]) && !isComplex(loop.in[0]))
        return {e.truth(false), nullptr};
    const Value re = e.isNan(x[0].re);
    return {x[0].im ? e.ori(re, e.isNan(x[0].im)) : re, nullptr};
}

Value isInfinite(Emit &e, Value a) { return e.eq(e.abs(a), e.like(a, HUGE_VAL)); }

Scalar emitIsInf(Emit &e, const Loop &loop, Operands x) {
    if (!isFloat(loop.in[0]) && !isComplex(loop.in[0]))
        return {e.truth(false), nullptr};
    const Value re = isInfinite(e, x[0].re);
    return {x[0].im ? e.ori(re, isInfinite(e, x[0].im)) : re, nullptr};
}

Scalar emitIsFinite(Emit &e, const Loop &loop, Operands x) {
    if (!isFloat(loop.in[0]) && !isComplex(loop.in[0]))
        return {e.truth(true), nullptr};
    const auto finite = [&](Value a) { return e.lt(e.abs(a), e.like(a, HUGE_VAL)); };
    const Value re = finite(x[0].re);
    return {x[0].im ? e.andi(re, finite(x[0].im)) : re, nullptr};
}

Scalar emitSignbit(Emit &e, const Loop &, Operands x) {
    return {e.isNegative(e.bits(x[0].re)), nullptr};
}

constexpr llvm::StringLiteral comparisons = "##->?:?bBhHiIlL lL->? Ll->? ##->?:efdFD",
                              predicates2 = "##->?:?bBhHiIlLefdFD",
                              predicates1 = "#->?:?bBhHiIlLefdFD";

constexpr Ufunc rows[] = {
    {"less", 2, 1, comparisons, emitCompare<Relation::Lt>, "", Resolution::Compare},
    {"less_equal", 2, 1, comparisons, emitCompare<Relation::Le>, "", Resolution::Compare},
    {"greater", 2, 1, comparisons, emitCompare<Relation::Gt>, "", Resolution::Compare},
    {"greater_equal", 2, 1, comparisons, emitCompare<Relation::Ge>, "", Resolution::Compare},
    {"equal", 2, 1, comparisons, emitCompare<Relation::Eq>, "", Resolution::Compare},
    {"not_equal", 2, 1, comparisons, emitCompare<Relation::Ne>, "", Resolution::Compare},
    {"logical_and", 2, 1, predicates2, emitLogicalAnd, "", Resolution::Logical},
    {"logical_or", 2, 1, predicates2, emitLogicalOr, "", Resolution::Logical},
    {"logical_xor", 2, 1, predicates2, emitLogicalXor, "", Resolution::Logical},
    {"logical_not", 1, 1, predicates1, emitLogicalNot},
    {"isnan", 1, 1, predicates1, emitIsNan},
    {"isinf", 1, 1, predicates1, emitIsInf},
    {"isfinite", 1, 1, predicates1, emitIsFinite},
    {"signbit", 1, 1, "#->?:efd", emitSignbit},
};

} // namespace

llvm::ArrayRef<Ufunc> compareUfuncs() { return rows; }

} // namespace shapecast
