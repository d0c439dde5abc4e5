// The math functions with SSE4.2 (the compiler's flags are in src/CMakeLists.txt).
#define SC_MATH_BYTES 16
#define SC_MATH_TABLE sseBodies
#include "mathlib/bodies.h"
