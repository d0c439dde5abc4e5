// Integer functions that the host and kernels have alike: no header of C++ is on devices.
#pragma once

#include <stdint.h>

namespace shapecast::mathlib {

// Modulo 2^64.
inline uint64_t wrappingPower(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

// a / b rounded once, as Python's; 0 for b = 0.
inline double trueQuotient(int64_t a, int64_t b) {
    const bool isNegative = (a < 0) != (b < 0);
    const uint64_t n = a < 0 ? -uint64_t(a) : uint64_t(a), d = b < 0 ? -uint64_t(b) : uint64_t(b);
    if (n == 0 || d == 0)
        return isNegative && d ? -0.0 : 0.0;
    // At least 62 bits of the quotient, and whether anything is left: the conversion rounds once.
    uint64_t quotient = n / d, rest = n % d;
    int shift = 0;
    for (; !(quotient >> 61); ++shift) {
        const bool isOne = rest >> 63 || rest << 1 >= d;
        rest = (rest << 1) - (isOne ? d : 0);
        quotient = quotient << 1 | uint64_t(isOne);
    }
    const auto scale = __builtin_bit_cast(double, uint64_t(1023 - shift) << 52);
    const double result = double(quotient | uint64_t(rest != 0)) * scale;
    return isNegative ? -result : result;
}

} // namespace shapecast::mathlib
