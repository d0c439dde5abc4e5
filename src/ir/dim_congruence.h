// The abstract domain of congruences, and the congruence of an expression from its operands'.
#pragma once

#include "ir/dim.h"

namespace shapecast::np {

// value == residue (mod modulus), 0 <= residue < modulus. Modulus 1 is top (any integer); modulus 0
// is the constant `residue`.
struct Congruence {
    int64_t modulus = 1, residue = 0;

    // The remainder of the value by a divisor > 0, where the congruence implies it.
    std::optional<int64_t> remainder(int64_t divisor) const;
    // Of the sum and of the product of two values.
    Congruence operator+(Congruence other) const;
    Congruence operator*(Congruence other) const;
    bool operator==(const Congruence &other) const = default;
};

// The meet; none where they contradict each other. Where the common modulus is too large for
// 64 bits, one of them.
std::optional<Congruence> intersect(Congruence a, Congruence b);
// x from coefficient * x == value; none where no x is a solution.
std::optional<Congruence> solveCongruence(int64_t coefficient, Congruence value);
// The congruence of e; `known` gives what facts say of an atom, besides its form.
Congruence congruenceOf(DimAttr e, llvm::function_ref<Congruence(DimAttr)> known);

} // namespace shapecast::np
