// The math functions with AVX2 (the compiler's flags are in src/CMakeLists.txt).
#define SC_MATH_BYTES 32
#define SC_MATH_TABLE avx2Bodies
#include "mathlib/bodies.h"
