// Vector versions of elementary functions, within 1 ULP, called by vectorised loops.
//
// Each has one body (exponential.h, logarithm.h, ...) for float32 and float64 and any number of
// lanes, compiled for 16, 32 and 64 bytes. An element's result does not depend on the others, so it
// has the same bits at every index of an array; the three widths may differ in the last bit.
#pragma once

#include <stddef.h>

// Names, with one and with two arguments: `light` functions need only half of AVX-512's registers.
#define SC_MATH_BODIES1(light, heavy)                                                              \
    light(exp) light(exp2) light(exp10) light(expm1) light(log) light(log2) light(log10)           \
        light(log1p) light(sin) light(cos) light(tan) light(asin) light(acos) light(atan)          \
            light(sinh) light(cosh) heavy(tanh) light(asinh) light(acosh) light(atanh) light(cbrt) \
                heavy(erf) heavy(erfc)
#define SC_MATH_BODIES_OF_HOSTS(light, heavy) heavy(gammaln) // which call the C library
#define SC_MATH_BODIES2(light, heavy)                                                              \
    heavy(pow) light(atan2) light(hypot) light(fmod) light(rootsum) heavy(expcos) heavy(expsin)

namespace shapecast::mathlib {

struct Body {
    const char *name; // C's, as "exp"; expcos(x, y) = e^x cos y, rootsum: roots.h
    unsigned arguments;
    void *functions[2]; // on as many float64s as a vector holds, on float32s
    // zmm16-31 are callee-saved (intel_ocl_bicc): values of the caller's loop in them are not
    // spilled at each call. Spills slow the function down, too: loads of its constants from
    // addresses 4 KiB * k away wait for those stores (4 KiB aliasing), so that one process of
    // twenty, depending on its stack's address, took 2.5 x as long.
    bool keepsRegisters;
};

const Body *sseBodies(size_t *count);    // SSE4.2, 16 bytes
const Body *avx2Bodies(size_t *count);   // AVX2 and FMA, 32 bytes
const Body *avx512Bodies(size_t *count); // AVX-512 F, DQ, BW and VL, 64 bytes
const Body *neonBodies(size_t *count);   // 64-bit ARM, 16 bytes

} // namespace shapecast::mathlib
