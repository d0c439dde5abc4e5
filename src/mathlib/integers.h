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

} // namespace shapecast::mathlib
