// The math functions with AVX-512 (the compiler's flags are in src/CMakeLists.txt).
#define SC_MATH_BYTES 64
#define SC_MATH_TABLE avx512Bodies
#include "mathlib/bodies.h"
