// Arithmetic of residues (P. Granger's domain of congruences), in 128 bits.
#include "ir/dim_congruence.h"

using namespace mlir;

namespace shapecast::np {
namespace {

using Wide = __int128;
constexpr Wide limit = Wide(1) << 62;

Wide absolute(Wide a) { return a < 0 ? -a : a; }

Wide gcd(Wide a, Wide b) {
    a = absolute(a);
    b = absolute(b);
    while (b != 0)
        a = std::exchange(b, a % b);
    return a;
}

Wide remainderOf(Wide a, Wide b) { return a % b + (a % b < 0 ? b : 0); } // b > 0

// Top where the numbers are too large.
Congruence normal(Wide modulus, Wide residue) {
    if (modulus != 0)
        residue = remainderOf(residue, modulus);
    if (modulus >= limit || absolute(residue) >= limit)
        return {};
    return {static_cast<int64_t>(modulus), static_cast<int64_t>(residue)};
}

// x with a * x == 1 (mod m), for a coprime to m > 0.
Wide inverse(Wide a, Wide m) {
    Wide previous = 0, current = 1, high = m, low = remainderOf(a, m);
    while (low > 1) {
        const Wide quotient = high / low;
        high = std::exchange(low, high - quotient * low);
        previous = std::exchange(current, previous - quotient * current);
    }
    return remainderOf(current, m);
}

Congruence join(Congruence a, Congruence b) {
    return normal(gcd(gcd(a.modulus, b.modulus), Wide(a.residue) - b.residue), a.residue);
}

// floor(a / divisor), divisor > 0.
Congruence quotientOf(Congruence a, int64_t divisor) {
    if (a.modulus % divisor != 0)
        return {};
    const Wide rest = remainderOf(a.residue, divisor);
    return normal(a.modulus / divisor, (a.residue - rest) / divisor);
}

} // namespace

std::optional<int64_t> Congruence::remainder(int64_t divisor) const {
    if (modulus % divisor != 0)
        return std::nullopt;
    return static_cast<int64_t>(remainderOf(residue, divisor));
}

Congruence Congruence::operator+(Congruence other) const {
    return normal(gcd(modulus, other.modulus), Wide(residue) + other.residue);
}

// (m * i + r) * (n * j + s) = m * n * i * j + m * s * i + n * r * j + r * s
Congruence Congruence::operator*(Congruence other) const {
    const Wide m = modulus, n = other.modulus, r = residue, s = other.residue;
    return normal(gcd(gcd(m * n, m * s), n * r), r * s);
}

std::optional<Congruence> intersect(Congruence a, Congruence b) {
    if (a.modulus == 0 || b.modulus == 0) {
        const auto [value, other] = a.modulus == 0 ? std::pair(a, b) : std::pair(b, a);
        const bool agrees =
            other.modulus == 0 ? value == other : value.remainder(other.modulus) == other.residue;
        return agrees ? std::optional(value) : std::nullopt;
    }
    const Wide common = gcd(a.modulus, b.modulus), difference = Wide(b.residue) - a.residue;
    if (difference % common != 0)
        return std::nullopt;
    const Wide step = b.modulus / common;
    const Wide multiples =
        remainderOf(difference / common, step) * inverse(a.modulus / common, step);
    const Congruence both =
        normal(a.modulus * step, a.residue + a.modulus * remainderOf(multiples, step));
    return both.modulus == 1 && a.modulus != 1 ? a : both;
}

std::optional<Congruence> solveCongruence(int64_t coefficient, Congruence value) {
    if (coefficient == 0 || value.modulus == 0) {
        const bool divides = coefficient != 0 && value.residue % coefficient == 0;
        if (!divides)
            return value.residue == 0 ? std::optional(Congruence()) : std::nullopt;
        return normal(0, Wide(value.residue) / coefficient);
    }
    const Wide common = gcd(coefficient, value.modulus);
    if (value.residue % common != 0)
        return std::nullopt;
    const Wide modulus = value.modulus / common;
    return normal(modulus, value.residue / common * inverse(coefficient / common, modulus));
}

Congruence congruenceOf(DimAttr e, function_ref<Congruence(DimAttr)> known) {
    auto operand = [&](unsigned i) { return congruenceOf(e.getOperands()[i], known); };
    const bool divides = (e.getKind() == DimKind::FloorDiv || e.getKind() == DimKind::Mod) &&
                         e.getOperands()[1].isConst() && e.getOperands()[1].getValue() > 0;
    Congruence result;
    switch (e.getKind()) {
    case DimKind::Const:
        return normal(0, e.getValue());
    case DimKind::Sum:
    case DimKind::Product:
        result = normal(0, e.getValue());
        for (unsigned i = 0; i < e.getOperands().size(); ++i)
            result = e.getKind() == DimKind::Sum ? result + operand(i) : result * operand(i);
        return result;
    case DimKind::FloorDiv:
        if (divides)
            result = quotientOf(operand(0), e.getOperands()[1].getValue());
        break;
    case DimKind::Mod: {
        const int64_t divisor = divides ? e.getOperands()[1].getValue() : 1;
        const Congruence dividend = operand(0);
        if (std::optional<int64_t> rest = dividend.remainder(divisor); rest && divides)
            result = normal(0, *rest);
        else if (divides)
            result = normal(gcd(dividend.modulus, divisor), dividend.residue);
        break;
    }
    case DimKind::Min:
    case DimKind::Max:
        result = operand(0);
        for (unsigned i = 1; i < e.getOperands().size(); ++i)
            result = join(result, operand(i));
        break;
    default:
        break;
    }
    return intersect(result, known(e)).value_or(result);
}

} // namespace shapecast::np
