// Our own elementary functions on vectors, within 1 ULP: what compiled code's loops call.
//
// Each has one body (exponential.h, logarithm.h, ...) for float32 and float64 and any number of
// lanes, compiled for 16, 32 and 64 bytes. An element's result does not depend on the others, so it
// has the same bits at every place of an array; between the three they may differ in the last bit.
#pragma once

#include <cstddef>

// Names, with one and with two arguments.
#define SC_MATH_BODIES1(use)                                                                       \
    use(exp) use(exp2) use(exp10) use(expm1) use(log) use(log2) use(log10) use(log1p) use(sin)     \
        use(cos) use(tan) use(asin) use(acos) use(atan) use(sinh) use(cosh) use(tanh) use(asinh)   \
            use(acosh) use(atanh) use(cbrt) use(erf) use(erfc) use(gammaln)
#define SC_MATH_BODIES2(use) use(pow) use(atan2) use(hypot) use(expcos) use(expsin)

namespace shapecast::mathlib {

struct Body {
    const char *name; // C's, as "exp"; expcos(x, y) = e^x cos y
    unsigned arguments;
    void *functions[2]; // on as many float64s as a vector holds, on float32s
};

const Body *sseBodies(size_t *count);    // SSE4.2, 16 bytes
const Body *avx2Bodies(size_t *count);   // AVX2 and FMA, 32 bytes
const Body *avx512Bodies(size_t *count); // AVX-512 F, DQ, BW and VL, 64 bytes

} // namespace shapecast::mathlib
