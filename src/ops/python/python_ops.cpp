// Python's operators and builtins on float and bool, comparisons, and which kind of number results;
// int is in python_ints.cpp, complex in python_complex.cpp.
#include "facts/host_info.h"
#include "ops/python/python_emit.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace shapecast {

using mlir::Value;

Value PyOperation::asFloat(size_t i) const {
    if (kinds[i] == PyKind::Float || kinds[i] == PyKind::Complex)
        return operands[i].re;
    if (kinds[i] == PyKind::WideInt)
        return e.toFloat(asInt(i, 128), e.builder.getF64Type(), true);
    return e.toFloat(operands[i].re, e.builder.getF64Type(), kinds[i] == PyKind::Int);
}

Scalar PyOperation::asComplex(size_t i) const {
    if (kinds[i] == PyKind::Complex)
        return operands[i];
    return {asFloat(i), e.real(e.builder.getF64Type(), 0)};
}

void PyOperation::trap(Value condition, llvm::StringRef exception, llvm::StringRef message) const {
    traps.push_back({condition, exception, hostInfo().message(message)});
}

Value emitPyTruncate(const PyOperation &p, Value x) {
    Emit &e = p.e;
    const Value inRange = e.lt(e.abs(x), e.like(x, 0x1p63)); // false for -2^63, which fits
    const Value outOfRange = e.eq(inRange, e.integer(e.integerType(1), 0));
    auto trap = [&](Value condition, llvm::StringRef exception, llvm::StringRef message) {
        p.traps.push_back({condition, exception, message, outOfRange});
    };
    trap(e.isNan(x), "ValueError", "cannot convert float NaN to integer");
    trap(e.eq(e.abs(x), e.like(x, HUGE_VAL)), "OverflowError",
         "cannot convert float infinity to integer");
    const Value tooLarge = e.ori(e.ge(x, e.like(x, 0x1p63)), e.lt(x, e.like(x, -0x1p63)));
    if (p.nowrap)
        return e.toInteger(x, 64);
    // A store converts Python's unbounded int to a C long; elsewhere the limit is this compiler's.
    trap(tooLarge, "OverflowError",
         p.op == "long" ? "Python int too large to convert to C long"
                        : "Python int result does not fit in 64 bits");
    return mlir::arith::FPToSIOp::create(e.builder, e.loc, e.integerType(64), x);
}

namespace {

PyKind widest(llvm::ArrayRef<PyKind> kinds) { return *llvm::max_element(kinds); }
PyKind number(PyKind kind) { return std::max(kind, PyKind::Int); } // bool counts as int

//===-- float ---------------------------------------------------------------------------------===//

struct FloatDivision {
    Value quotient, remainder;
};

// CPython's float_divmod; the divisor is not zero unless a trap fires.
FloatDivision floatDivision(Emit &e, Value a, Value b) {
    const Value zero = e.like(a, 0), one = e.like(a, 1);
    const Value mod = e.fmod(a, b);
    const Value nonzero = e.ne(mod, zero);
    const Value differ = e.andi(nonzero, e.xori(e.isNegative(b), e.isNegative(mod)));
    const Value exact = e.div(e.sub(a, mod), b);
    const Value quotient = e.select(differ, e.sub(exact, one), exact);
    const Value remainder =
        e.select(nonzero, e.select(differ, e.add(mod, b), mod), e.copysign(zero, b));
    const Value floored = e.floor(quotient);
    const Value up = e.gt(e.sub(quotient, floored), e.like(a, 0.5));
    const Value snapped = e.select(up, e.add(floored, one), floored);
    return {e.select(e.isZero(quotient), e.copysign(zero, e.div(a, b)), snapped), remainder};
}

Value isFinite(Emit &e, Value x) { return e.lt(e.abs(x), e.like(x, HUGE_VAL)); }
Value isInfinite(Emit &e, Value x) { return e.eq(e.abs(x), e.like(x, HUGE_VAL)); }

Value floatPower(const PyOperation &p) {
    Emit &e = p.e;
    const Value a = p.asFloat(0), b = p.asFloat(1), zero = e.like(a, 0);
    const Value finite = e.andi(isFinite(e, a), isFinite(e, b));
    p.trap(e.andi(finite, e.andi(e.isZero(a), e.lt(b, zero))), "ZeroDivisionError",
           "0.0 cannot be raised to a negative power");
    p.trap(e.andi(finite, e.andi(e.lt(a, zero), e.ne(e.floor(b), b))), "shapecast.UnsupportedError",
           "a negative float to a fractional power is complex in Python: write complex(base) ** "
           "exponent");
    const Value result = e.libm("pow", {a, b});
    p.trap(e.andi(finite, e.andi(isInfinite(e, result), e.ne(a, zero))), "OverflowError",
           "(34, 'Numerical result out of range')");
    return result;
}

Value emitFloat(const PyOperation &p) {
    Emit &e = p.e;
    const Value a = p.asFloat(0), b = p.size() > 1 ? p.asFloat(1) : nullptr;
    if (p.op == "add")
        return e.add(a, b);
    if (p.op == "sub")
        return e.sub(a, b);
    if (p.op == "mul")
        return e.mul(a, b);
    if (p.op == "truediv") {
        if (widest(p.kinds) <= PyKind::WideInt)
            return emitIntQuotient(p);
        p.trap(e.isZero(b), "ZeroDivisionError", "float division by zero");
        return e.div(a, b);
    }
    if (p.op == "floordiv") {
        p.trap(e.isZero(b), "ZeroDivisionError", "float floor division by zero");
        return floatDivision(e, a, b).quotient;
    }
    if (p.op == "mod") {
        p.trap(e.isZero(b), "ZeroDivisionError", "float modulo");
        return floatDivision(e, a, b).remainder;
    }
    if (p.op == "pow")
        return floatPower(p);
    if (p.op == "neg")
        return e.neg(a);
    if (p.op == "round") { // with ndigits
        const Value result = e.call("sc_py_round", a.getType(), {a, p.asInt(1)});
        p.trap(e.andi(isFinite(e, a), isInfinite(e, result)), "OverflowError",
               "rounded value too large to represent");
        return result;
    }
    if (p.op == "abs") {
        if (p.kinds[0] != PyKind::Complex)
            return e.abs(a);
        const Value im = p.operands[0].im, result = e.libm("hypot", {a, im});
        p.trap(e.andi(isInfinite(e, result), e.andi(isFinite(e, a), isFinite(e, im))),
               "OverflowError", "absolute value too large");
        return result;
    }
    return a; // pos, float
}

//===-- Comparison, truth, minimum and maximum

bool isComparison(llvm::StringRef op) {
    return llvm::is_contained({"lt", "le", "gt", "ge", "eq", "ne"}, op);
}

struct Ordered {
    Value less, equal;
};

// Compares int (of 64 or 128 bits) and float exactly: where the rounded int differs from the float,
// rounding preserved the order.
Ordered compareIntFloat(Emit &e, Value a, Value x) {
    const Value rounded = e.toFloat(a, x.getType(), true);
    const Value same = e.eq(rounded, x);
    const bool isWide = a.getType().isInteger(128);
    const Value beyond = e.ge(x, e.like(x, isWide ? 0x1p127 : 0x1p63)); // above every int
    const Value whole = isWide ? Value(mlir::arith::FPToSIOp::create(
                                     e.builder, e.loc, a.getType(),
                                     e.select(e.lt(e.abs(x), e.like(x, 0x1p127)), x, e.like(x, 0))))
                               : e.toInteger(x, 64);
    const Value less = e.select(same, e.ori(beyond, e.lt(a, whole)), e.lt(rounded, x));
    return {less, e.andi(same, e.andi(e.invert(beyond), e.eq(a, whole)))};
}

Value compareMixed(Emit &e, llvm::StringRef op, Value a, Value x, bool swapped) {
    const Ordered order = compareIntFloat(e, a, x);
    if (op == "eq")
        return order.equal;
    if (op == "ne")
        return e.invert(order.equal);
    const Value lessOrEqual = e.ori(order.less, order.equal);
    const bool wantsLess = (op == "lt" || op == "le") != swapped; // of a against x
    const bool wantsEqual = op == "le" || op == "ge";
    if (wantsLess)
        return wantsEqual ? lessOrEqual : order.less;
    const Value ordered = e.invert(e.isNan(x));
    return e.andi(ordered, e.invert(wantsEqual ? order.less : lessOrEqual));
}

Value compareSame(Emit &e, llvm::StringRef op, Value a, Value b) {
    if (op == "lt")
        return e.lt(a, b);
    if (op == "le")
        return e.le(a, b);
    if (op == "gt")
        return e.gt(a, b);
    if (op == "ge")
        return e.ge(a, b);
    return op == "eq" ? e.eq(a, b) : e.ne(a, b);
}

Value emitComparison(const PyOperation &p) {
    Emit &e = p.e;
    const PyKind left = number(p.kinds[0]), right = number(p.kinds[1]);
    const auto isInt = [](PyKind kind) { return kind <= PyKind::WideInt; };
    const auto anyInt = [&](size_t i) {
        return p.asInt(i, p.kinds[i] == PyKind::WideInt ? 128 : 64);
    };
    if (left == PyKind::Complex || right == PyKind::Complex) {
        const Scalar a = p.asComplex(0), b = p.asComplex(1);
        const Value sameReal = isInt(left)    ? compareIntFloat(e, anyInt(0), b.re).equal
                               : isInt(right) ? compareIntFloat(e, anyInt(1), a.re).equal
                                              : e.eq(a.re, b.re);
        const Value equal = e.andi(sameReal, e.eq(a.im, b.im));
        return p.op == "eq" ? equal : e.invert(equal);
    }
    if (left == PyKind::Int && right == PyKind::Int)
        return compareSame(e, p.op, p.asInt(0), p.asInt(1));
    if (isInt(left) && isInt(right))
        return compareSame(e, p.op, p.asInt(0, 128), p.asInt(1, 128));
    if (isInt(left))
        return compareMixed(e, p.op, anyInt(0), p.asFloat(1), false);
    if (isInt(right))
        return compareMixed(e, p.op, anyInt(1), p.asFloat(0), true);
    return compareSame(e, p.op, p.asFloat(0), p.asFloat(1));
}

Value emitTruthOf(const PyOperation &p) {
    if (p.kinds[0] == PyKind::WideInt)
        return p.e.invert(p.e.isZero(p.e.ori(p.operands[0].re, p.operands[0].im)));
    static constexpr DType dtypes[] = {DType::Bool, DType::Bool, DType::I64,
                                       DType::I64,  DType::F64,  DType::C128};
    return emitTruth(p.e, dtypes[static_cast<size_t>(p.kinds[0])], p.operands[0]);
}

// min and max: the first of equal operands, as in Python.
Value emitExtremeOf(const PyOperation &p, PyKind result) {
    Emit &e = p.e;
    const auto operand = [&](size_t i) {
        return result == PyKind::Bool      ? p.operands[i].re
               : result == PyKind::Int     ? p.asInt(i)
               : result == PyKind::WideInt ? p.asInt(i, 128)
                                           : p.asFloat(i);
    };
    Value best = operand(0);
    for (size_t i = 1; i < p.size(); ++i) {
        const Value next = operand(i);
        const bool isUnsigned = result == PyKind::Bool;
        const Value better =
            p.op == "min" ? e.lt(next, best, isUnsigned) : e.gt(next, best, isUnsigned);
        best = e.select(better, next, best);
    }
    return best;
}

std::optional<PyKind> powerResult(llvm::ArrayRef<PyKind> kinds, std::optional<int64_t> exponent) {
    const PyKind kind = number(widest(kinds));
    return kind <= PyKind::WideInt && exponent && *exponent < 0 ? PyKind::Float : kind;
}

std::optional<PyKind> unaryResult(llvm::StringRef op, PyKind kind) {
    const bool isComplex = kind == PyKind::Complex;
    if (op == "neg" || op == "pos")
        return number(kind);
    if (op == "abs")
        return isComplex ? PyKind::Float : number(kind);
    if (op == "not" || op == "bool")
        return PyKind::Bool;
    if (op == "complex")
        return PyKind::Complex;
    if (isComplex)
        return std::nullopt;
    if (op == "int" || op == "long" || op == "round" || op == "uint64" || op == "low_word" ||
        op == "high_word")
        return PyKind::Int;
    if (op == "widen")
        return PyKind::WideInt;
    if (op == "float")
        return PyKind::Float;
    if (op == "invert" && kind <= PyKind::WideInt)
        return number(kind);
    return std::nullopt;
}

std::optional<PyKind> binaryResult(llvm::StringRef op, llvm::ArrayRef<PyKind> kinds,
                                   std::optional<int64_t> exponent) {
    const PyKind kind = widest(kinds);
    const bool isComplex = kind == PyKind::Complex;
    if (op == "add" || op == "sub" || op == "mul")
        return number(kind);
    if (op == "truediv")
        return isComplex ? PyKind::Complex : PyKind::Float;
    if (op == "pow")
        return powerResult(kinds, exponent);
    if (op == "eq" || op == "ne")
        return PyKind::Bool;
    if (op == "complex")
        return PyKind::Complex;
    if (isComplex)
        return std::nullopt;
    if (isComparison(op))
        return PyKind::Bool;
    if (op == "mod" && kind == PyKind::WideInt) // is smaller than the divisor
        return number(kinds[1]);
    if (op == "floordiv" || op == "mod")
        return number(kind);
    if (op == "round" && kinds[1] <= PyKind::Int)
        return number(kinds[0]);
    if (op == "of_words")
        return PyKind::WideInt;
    if (kind > PyKind::WideInt)
        return std::nullopt;
    if (op == "and" || op == "or" || op == "xor")
        return kind;
    if (op == "lshift" || op == "rshift")
        return number(kinds[0]);
    return std::nullopt;
}

Scalar emitByResult(const PyOperation &p, PyKind result) {
    switch (result) {
    case PyKind::Bool: { // and, or, xor of bools
        const Value a = p.operands[0].re, b = p.operands[1].re;
        return {p.op == "and"  ? p.e.andi(a, b)
                : p.op == "or" ? p.e.ori(a, b)
                               : p.e.xori(a, b),
                nullptr};
    }
    case PyKind::Int:
        return {emitInt(p), nullptr};
    case PyKind::WideInt:
        return emitWideInt(p);
    case PyKind::Float:
        return {emitFloat(p), nullptr};
    default:
        return emitPyComplex(p);
    }
}

} // namespace

std::optional<PyKind> pyResult(llvm::StringRef op, llvm::ArrayRef<PyKind> kinds,
                               std::optional<int64_t> exponent) {
    llvm::StringRef name = op;
    if (name.consume_front("math.") || isPyMath(name))
        return pyMathResult(name, kinds);
    if (op == "min" || op == "max") {
        if (kinds.size() < 2 || widest(kinds) == PyKind::Complex)
            return std::nullopt;
        return widest(kinds);
    }
    if (kinds.size() == 1)
        return unaryResult(op, kinds[0]);
    return kinds.size() == 2 ? binaryResult(op, kinds, exponent) : std::nullopt;
}

Scalar emitPyOp(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef op,
                llvm::ArrayRef<Scalar> operands, llvm::ArrayRef<PyKind> kinds, PyKind result,
                bool nowrap, llvm::SmallVectorImpl<Trap> &traps) {
    Emit e(builder, loc);
    const PyOperation p{e, op, operands, kinds, nowrap, traps};
    llvm::StringRef name = op;
    if (name.consume_front("math.") || isPyMath(name))
        return emitPyMath(p, name);
    if (name.consume_front("wide."))
        return {emitWide(p, name), nullptr};
    if (isComparison(op))
        return {emitComparison(p), nullptr};
    if (op == "not")
        return {e.invert(emitTruthOf(p)), nullptr};
    if (op == "bool")
        return {emitTruthOf(p), nullptr};
    if (op == "min" || op == "max") {
        const Value best = emitExtremeOf(p, result);
        return result == PyKind::WideInt ? partsOfWideInt(e, best) : Scalar{best, nullptr};
    }
    if (result == PyKind::Int && kinds[0] == PyKind::Float &&
        llvm::is_contained({"int", "long", "round"}, op))
        return {emitPyTruncate(p, op == "round" ? e.rint(operands[0].re) : operands[0].re),
                nullptr};
    if (op == "round" && result == PyKind::Int && p.size() == 2 && kinds[0] <= PyKind::Int)
        return {emitRoundedInt(p), nullptr};
    return emitByResult(p, result);
}

} // namespace shapecast
