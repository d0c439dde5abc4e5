// Python's complex arithmetic: Objects/complexobject.c, before Python 3.14 and since
// (HostInfo::complexByAnnexG).
#include "facts/host_info.h"
#include "ops/python/python_emit.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cmath>

namespace shapecast {

using mlir::Value;

namespace {

// Powers with a constant exponent up to this one are expanded to products.
constexpr uint64_t maxInlineExponent = 8;

Value isInfinite(Emit &e, Value x) { return e.eq(e.abs(x), e.like(x, HUGE_VAL)); }
Value isInfinite(Emit &e, Scalar z) { return e.ori(isInfinite(e, z.re), isInfinite(e, z.im)); }
Value isFinite(Emit &e, Scalar z) {
    return e.andi(e.lt(e.abs(z.re), e.like(z.re, HUGE_VAL)),
                  e.lt(e.abs(z.im), e.like(z.im, HUGE_VAL)));
}

Scalar select(Emit &e, Value condition, Scalar yes, Scalar no) {
    return {e.select(condition, yes.re, no.re), e.select(condition, yes.im, no.im)};
}

// C11 annex G: 1 for infinite parts, 0 for others, with their signs.
Scalar boxed(Emit &e, Scalar z) {
    const auto box = [&](Value x) {
        return e.copysign(e.select(isInfinite(e, x), e.like(x, 1), e.like(x, 0)), x);
    };
    return {box(z.re), box(z.im)};
}

// NaN parts become 0 with their signs.
Scalar withoutNan(Emit &e, Scalar z) {
    const auto zeroed = [&](Value x) {
        return e.select(e.isNan(x), e.copysign(e.like(x, 0), x), x);
    };
    return {zeroed(z.re), zeroed(z.im)};
}

Scalar scaled(Emit &e, Scalar z, double factor) {
    const Value by = e.like(z.re, factor);
    return {e.mul(by, z.re), e.mul(by, z.im)};
}

// `result`, or in the rare case that both its parts are NaN, that of `recover`.
Scalar recovered(Emit &e, Scalar result, llvm::function_ref<Scalar()> recover) {
    const mlir::Type f64 = result.re.getType();
    const Value lost = e.andi(e.isNan(result.re), e.isNan(result.im));
    auto branch = mlir::scf::IfOp::create(e.builder, e.loc, mlir::TypeRange{f64, f64}, lost, true);
    mlir::OpBuilder::InsertionGuard guard(e.builder);
    e.builder.setInsertionPointToStart(branch.thenBlock());
    const Scalar other = recover();
    mlir::scf::YieldOp::create(e.builder, e.loc, {other.re, other.im});
    e.builder.setInsertionPointToStart(branch.elseBlock());
    mlir::scf::YieldOp::create(e.builder, e.loc, {result.re, result.im});
    return {branch.getResult(0), branch.getResult(1)};
}

Scalar recoverProduct(Emit &e, Scalar z, Scalar w) {
    const Value zInfinite = isInfinite(e, z), wInfinite = isInfinite(e, w);
    const Scalar across{e.mul(z.re, w.im), e.mul(z.im, w.re)};
    const Scalar along{e.mul(z.re, w.re), e.mul(z.im, w.im)};
    const Value overflows = e.ori(isInfinite(e, across), isInfinite(e, along));
    Scalar a = select(e, zInfinite, boxed(e, z), z);
    Scalar b = select(e, zInfinite, withoutNan(e, w), w);
    b = select(e, wInfinite, boxed(e, b), b);
    a = select(e, e.ori(wInfinite, overflows), withoutNan(e, a), a);
    b = select(e, overflows, withoutNan(e, b), b);
    const Value any = e.ori(overflows, e.ori(zInfinite, wInfinite));
    const Scalar infinite = scaled(e, emitMultiply(e, DType::C128, a, b), HUGE_VAL);
    const Value nan = e.like(a.re, NAN);
    return select(e, any, infinite, {nan, nan});
}

Scalar product(Emit &e, Scalar z, Scalar w) { // _Py_c_prod
    const Scalar result = emitMultiply(e, DType::C128, z, w);
    if (!hostInfo().complexByAnnexG)
        return result;
    return recovered(e, result, [&] { return recoverProduct(e, z, w); });
}

Scalar timesConjugate(Emit &e, Scalar a, Scalar b) {
    return {e.add(e.mul(a.re, b.re), e.mul(a.im, b.im)),
            e.sub(e.mul(a.im, b.re), e.mul(a.re, b.im))};
}

Scalar quotient(Emit &e, Scalar a, Scalar b) { // _Py_c_quot, Smith's algorithm
    const Value realLarger = e.ge(e.abs(b.re), e.abs(b.im));
    const Value big = e.select(realLarger, b.re, b.im), small = e.select(realLarger, b.im, b.re);
    const Value ratio = e.div(small, big), denominator = e.add(big, e.mul(small, ratio));
    const Value x = e.select(realLarger, a.re, a.im), y = e.select(realLarger, a.im, a.re);
    const Value xr = e.mul(x, ratio), yr = e.mul(y, ratio);
    const Scalar result{
        e.div(e.add(x, yr), denominator),
        e.div(e.sub(e.select(realLarger, y, xr), e.select(realLarger, xr, y)), denominator)};
    if (!hostInfo().complexByAnnexG)
        return result;
    return recovered(e, result, [&] {
        const Scalar infinite = scaled(e, timesConjugate(e, boxed(e, a), b), HUGE_VAL);
        const Scalar zero = scaled(e, timesConjugate(e, a, boxed(e, b)), 0);
        const Value toInfinity = e.andi(isInfinite(e, a), isFinite(e, b));
        const Value toZero = e.andi(isInfinite(e, b), isFinite(e, a));
        return select(e, toInfinity, infinite, select(e, toZero, zero, result));
    });
}

Scalar realQuotient(Emit &e, Value a, Scalar b) { // _Py_rc_quot
    const Value realLarger = e.ge(e.abs(b.re), e.abs(b.im)), negative = e.neg(a);
    const Value big = e.select(realLarger, b.re, b.im), small = e.select(realLarger, b.im, b.re);
    const Value ratio = e.div(small, big), denominator = e.add(big, e.mul(small, ratio));
    const Value re = e.select(realLarger, a, e.mul(a, ratio));
    const Value im = e.select(realLarger, e.mul(negative, ratio), negative);
    const Scalar result{e.div(re, denominator), e.div(im, denominator)};
    return recovered(e, result, [&] {
        const Scalar box = boxed(e, b);
        const Scalar zero = scaled(e, {e.mul(a, box.re), e.mul(negative, box.im)}, 0);
        const Value toZero = e.andi(isInfinite(e, b), isFinite(e, {a, a}));
        return select(e, toZero, zero, result);
    });
}

// c_powu for an exponent >= 1.
Scalar productPower(Emit &e, Scalar base, uint64_t exponent) {
    Scalar power{e.like(base.re, 1), e.like(base.re, 0)};
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            power = product(e, power, base);
        if (exponent > 1)
            base = product(e, base, base);
    }
    return power;
}

Scalar power(const PyOperation &p, Scalar a, Scalar b) {
    Emit &e = p.e;
    llvm::APInt constant;
    if (p.kinds[1] == PyKind::Int &&
        mlir::matchPattern(p.operands[1].re, mlir::m_ConstantInt(&constant)) &&
        constant.isStrictlyPositive() && constant.ule(maxInlineExponent)) {
        const Scalar result = productPower(e, a, constant.getZExtValue());
        p.trap(isInfinite(e, result), "OverflowError", "complex exponentiation");
        return result;
    }
    const mlir::Type f64 = a.re.getType();
    const Value annexG = e.integer(e.integerType(32), hostInfo().complexByAnnexG);
    const auto parts = e.calls("sc_py_cpow", {f64, f64}, {a.re, a.im, b.re, b.im, annexG});
    const Scalar result{parts[0], parts[1]};
    const Value error = e.call("sc_py_cpow_error", e.integerType(32),
                               {a.re, a.im, b.re, b.im, result.re, result.im});
    p.trap(e.eq(error, e.like(error, 1)), "ZeroDivisionError",
           "0.0 to a negative or complex power");
    p.trap(e.eq(error, e.like(error, 2)), "OverflowError", "complex exponentiation");
    return result;
}

// One operand is real and has no imaginary part.
Scalar emitMixed(const PyOperation &p) {
    Emit &e = p.e;
    const bool realFirst = p.kinds[0] != PyKind::Complex;
    const Scalar a = p.asComplex(0), b = p.asComplex(1);
    if (p.op == "add")
        return {e.add(a.re, b.re), realFirst ? b.im : a.im};
    if (p.op == "sub")
        return {e.sub(a.re, b.re), realFirst ? e.neg(b.im) : a.im};
    if (p.op == "mul")
        return {e.mul(a.re, b.re), realFirst ? e.mul(b.im, a.re) : e.mul(a.im, b.re)};
    return realFirst ? realQuotient(e, a.re, b) : Scalar{e.div(a.re, b.re), e.div(a.im, b.re)};
}

} // namespace

Scalar emitPyComplex(const PyOperation &p) {
    Emit &e = p.e;
    const Scalar a = p.asComplex(0), b = p.size() > 1 ? p.asComplex(1) : Scalar{};
    if (p.op == "truediv")
        p.trap(e.andi(e.isZero(b.re), e.isZero(b.im)), "ZeroDivisionError",
               "complex division by zero");
    const bool isMixed = p.size() == 2 && p.kinds[0] != p.kinds[1];
    if (isMixed && hostInfo().complexByAnnexG && p.op != "pow" && p.op != "complex")
        return emitMixed(p);
    if (p.op == "add")
        return {e.add(a.re, b.re), e.add(a.im, b.im)};
    if (p.op == "sub")
        return {e.sub(a.re, b.re), e.sub(a.im, b.im)};
    if (p.op == "mul")
        return product(e, a, b);
    if (p.op == "truediv")
        return quotient(e, a, b);
    if (p.op == "pow")
        return power(p, a, b);
    if (p.op == "neg")
        return {e.neg(a.re), e.neg(a.im)};
    if (p.op == "complex" && p.size() == 2) // re + 1j * im without adding zero parts
        return {p.kinds[1] == PyKind::Complex ? e.sub(a.re, b.im) : a.re,
                p.kinds[0] == PyKind::Complex ? e.add(b.re, a.im) : b.re};
    return a; // pos, complex
}

} // namespace shapecast
