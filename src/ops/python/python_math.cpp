// The functions of Python's math module on scalars, with its domain and range errors.
#include "facts/host_info.h"
#include "ops/python/python_emit.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <numbers>

namespace shapecast {

using mlir::Value;

namespace {

// How Python wraps a function of the C library.
enum class Family : uint8_t {
    None,
    Bounded,   // NaN or infinity from a finite number: ValueError
    Unbounded, // infinity from a finite number: OverflowError
    Log,       // as Bounded; log takes a base too
    Gamma,
    Binary, // no errors
    Custom  // see emitCustom
};

Family family(llvm::StringRef name) {
    return llvm::StringSwitch<Family>(name)
        .Cases({"acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos"}, Family::Bounded)
        .Cases({"fabs", "log1p", "sin", "sqrt", "tan", "tanh", "erf", "erfc"}, Family::Bounded)
        .Cases({"cosh", "exp", "exp2", "expm1", "sinh"}, Family::Unbounded)
        .Cases({"log", "log2", "log10"}, Family::Log)
        .Cases({"gamma", "lgamma"}, Family::Gamma)
        .Cases({"atan2", "copysign", "hypot", "nextafter"}, Family::Binary)
        .Cases({"fmod", "remainder", "pow", "ldexp", "floor", "ceil", "trunc"}, Family::Custom)
        .Cases({"isnan", "isinf", "isfinite", "degrees", "radians"}, Family::Custom)
        .Cases({"gcd", "lcm", "isqrt", "factorial", "comb", "perm", "powmod"}, Family::Custom)
        .Default(Family::None);
}

size_t argumentCount(llvm::StringRef name) {
    if (family(name) == Family::Binary ||
        llvm::is_contained({"fmod", "remainder", "pow", "ldexp", "gcd", "lcm"}, name))
        return 2;
    if (name == "comb" || name == "perm")
        return 2;
    return name == "powmod" ? 3 : 1;
}

Value isFinite(Emit &e, Value x) { return e.lt(e.abs(x), e.like(x, HUGE_VAL)); }
Value isInfinite(Emit &e, Value x) { return e.eq(e.abs(x), e.like(x, HUGE_VAL)); }

void domain(const PyOperation &p, Value condition) {
    p.trap(condition, "ValueError", "math domain error");
}
// The same with the message of this function for the argument x.
void domain(const PyOperation &p, Value condition, llvm::StringRef name, Value x) {
    const std::string function = "math." + name.str();
    const llvm::StringRef message = hostInfo().message(function);
    if (message == function)
        domain(p, condition);
    else
        p.traps.push_back({condition, "ValueError", message, {}, x});
}
void range(const PyOperation &p, Value condition) {
    p.trap(condition, "OverflowError", "math range error");
}

Value plainCall(Emit &e, llvm::StringRef name, Value x) {
    if (name == "sqrt")
        return e.sqrt(x);
    return name == "fabs" ? e.abs(x) : e.libm(name, {x});
}

Value bounded(const PyOperation &p, llvm::StringRef name, bool canOverflow) {
    Emit &e = p.e;
    const Value x = p.asFloat(0), result = plainCall(e, name, x);
    domain(p, e.andi(e.isNan(result), e.invert(e.isNan(x))), name, x);
    const Value overflow = e.andi(isInfinite(e, result), isFinite(e, x));
    if (canOverflow)
        range(p, overflow);
    else
        domain(p, overflow, name, x);
    return result;
}

Value logarithm(const PyOperation &p, llvm::StringRef name) {
    Emit &e = p.e;
    const auto logOf = [&](size_t i) {
        const Value x = p.asFloat(i);
        const bool isInt = p.kinds[i] <= PyKind::Int;
        domain(p, e.le(x, e.like(x, 0)), isInt ? "log of an int" : name, x);
        return e.libm(name, {x});
    };
    const Value numerator = logOf(0);
    if (p.size() == 1)
        return numerator;
    const Value denominator = logOf(1);
    p.trap(e.isZero(denominator), "ZeroDivisionError", "float division by zero");
    return e.div(numerator, denominator);
}

Value gamma(const PyOperation &p, llvm::StringRef name) {
    Emit &e = p.e;
    const Value x = p.asFloat(0), zero = e.like(x, 0);
    const Value pole = e.andi(e.le(x, zero), e.eq(e.floor(x), x)); // minus infinity too
    const Value negativeInfinity = e.eq(x, e.like(x, -HUGE_VAL));
    const bool logarithmic = name == "lgamma";
    domain(p, logarithmic ? e.andi(pole, e.invert(negativeInfinity)) : pole, name, x);
    const Value result = e.libm(logarithmic ? "lgamma" : "tgamma", {x});
    range(p, e.andi(isInfinite(e, result), e.andi(isFinite(e, x), e.invert(pole))));
    return result;
}

Value power(const PyOperation &p) {
    Emit &e = p.e;
    const Value a = p.asFloat(0), b = p.asFloat(1), result = e.libm("pow", {a, b});
    const Value finite = e.andi(isFinite(e, a), isFinite(e, b));
    const Value infinite = e.andi(finite, isInfinite(e, result));
    domain(p, e.ori(e.andi(finite, e.isNan(result)), e.andi(infinite, e.isZero(a))));
    range(p, infinite);
    return result;
}

Value remainderOf(const PyOperation &p, llvm::StringRef name) {
    Emit &e = p.e;
    const Value a = p.asFloat(0), b = p.asFloat(1), result = e.libm(name, {a, b});
    domain(p, e.andi(e.isNan(result), e.compare(Emit::Order::ORD, a, b)));
    return result;
}

Value ldexpOf(const PyOperation &p) {
    Emit &e = p.e;
    const Value x = p.asFloat(0), exponent = p.asInt(1);
    const Value limit = e.like(exponent, 1 << 20), floor = e.like(exponent, -(1 << 20));
    const Value upper = e.select(e.gt(exponent, limit), limit, exponent);
    const Value clamped = e.narrow(e.select(e.lt(upper, floor), floor, upper), 32);
    const Value result = e.libm("ldexp", {x, clamped});
    range(p, e.andi(isFinite(e, x), isInfinite(e, result)));
    return result;
}

Value integerOf(const PyOperation &p, llvm::StringRef name) {
    Emit &e = p.e;
    if (p.kinds[0] <= PyKind::Int)
        return p.asInt(0);
    const Value x = p.asFloat(0);
    return emitPyTruncate(p, name == "floor" ? e.floor(x) : name == "ceil" ? e.ceil(x) : x);
}

Value divisorOf(const PyOperation &p, llvm::StringRef name) {
    Emit &e = p.e;
    const Value a = e.abs(p.asInt(0)), b = e.abs(p.asInt(1)); // magnitudes, unsigned
    const Value result = e.call(("sc_" + name).str(), e.integerType(64), {a, b});
    p.trapOverflow(e.isNegative(result));
    if (name == "lcm")
        p.trapOverflow(
            e.invert(e.isZero(e.call("sc_py_lcm_overflows", e.integerType(32), {a, b}))));
    return result;
}

Value squareRootOf(const PyOperation &p) {
    Emit &e = p.e;
    const Value a = p.asInt(0);
    p.trap(e.isNegative(a), "ValueError", "isqrt() argument must be nonnegative");
    return e.call("sc_py_isqrt", e.integerType(64), {a});
}

// factorial, comb, perm: the runtime returns a negative number on overflow.
Value combinatorial(const PyOperation &p, llvm::StringRef name) {
    Emit &e = p.e;
    const Value n = p.asInt(0), k = p.size() > 1 ? p.asInt(1) : n;
    p.trap(e.isNegative(n), "ValueError",
           name == "factorial" ? "factorial() not defined for negative values"
                               : "n must be a non-negative integer");
    if (p.size() > 1)
        p.trap(e.isNegative(k), "ValueError", "k must be a non-negative integer");
    const llvm::StringRef function = name == "comb" ? "sc_py_comb" : "sc_py_perm";
    const Value result = e.call(function, e.integerType(64), {n, k});
    p.trapOverflow(e.isNegative(result));
    return result;
}

Value modularPower(const PyOperation &p) {
    Emit &e = p.e;
    const llvm::SmallVector<Value, 3> operands{p.asInt(0), p.asInt(1), p.asInt(2)};
    p.trap(e.isZero(operands[2]), "ValueError", "pow() 3rd argument cannot be 0");
    const Value fails = e.call("sc_py_powmod_fails", e.integerType(32), operands);
    p.trap(e.invert(e.isZero(fails)), "ValueError", "base is not invertible for the given modulus");
    return e.call("sc_py_powmod", e.integerType(64), operands);
}

Value emitCustom(const PyOperation &p, llvm::StringRef name) {
    Emit &e = p.e;
    if (name == "factorial" || name == "comb" || name == "perm")
        return combinatorial(p, name);
    if (name == "powmod")
        return modularPower(p);
    if (name == "floor" || name == "ceil" || name == "trunc")
        return integerOf(p, name);
    if (name == "gcd" || name == "lcm")
        return divisorOf(p, name);
    if (name == "isqrt")
        return squareRootOf(p);
    if (name == "pow")
        return power(p);
    if (name == "ldexp")
        return ldexpOf(p);
    if (name == "fmod" || name == "remainder")
        return remainderOf(p, name);
    const Value x = p.asFloat(0);
    if (name == "isnan")
        return e.isNan(x);
    if (name == "isinf")
        return isInfinite(e, x);
    if (name == "isfinite")
        return isFinite(e, x);
    return e.mul(
        x, e.like(x, name == "degrees" ? 180.0 / std::numbers::pi : std::numbers::pi / 180.0));
}

} // namespace

// "pow" without "math." is Python's operator.
bool isPyMath(llvm::StringRef name) { return name != "pow" && family(name) != Family::None; }

std::optional<PyKind> pyMathResult(llvm::StringRef name, llvm::ArrayRef<PyKind> kinds) {
    const Family kind = family(name);
    const size_t count = argumentCount(name);
    const bool fits = kinds.size() == count || (name == "log" && kinds.size() == 2);
    if (kind == Family::None || !fits || llvm::is_contained(kinds, PyKind::Complex))
        return std::nullopt;
    const bool integers = *llvm::max_element(kinds) <= PyKind::Int;
    if (llvm::is_contained({"gcd", "lcm", "isqrt", "factorial", "comb", "perm", "powmod"}, name))
        return integers ? std::optional(PyKind::Int) : std::nullopt;
    if (name == "ldexp" && kinds[1] > PyKind::Int)
        return std::nullopt;
    if (name == "floor" || name == "ceil" || name == "trunc")
        return PyKind::Int;
    return name.starts_with("is") ? PyKind::Bool : PyKind::Float;
}

Scalar emitPyMath(const PyOperation &p, llvm::StringRef name) {
    switch (family(name)) {
    case Family::Bounded:
        return {bounded(p, name, false), nullptr};
    case Family::Unbounded:
        return {bounded(p, name, true), nullptr};
    case Family::Log:
        return {logarithm(p, name), nullptr};
    case Family::Gamma:
        return {gamma(p, name), nullptr};
    case Family::Binary:
        return {p.e.libm(name, {p.asFloat(0), p.asFloat(1)}), nullptr};
    default:
        return {emitCustom(p, name), nullptr};
    }
}

} // namespace shapecast
