// The math functions with the vectors of every 64-bit ARM (flags: src/CMakeLists.txt).
#define SC_MATH_BYTES 16
#define SC_MATH_TABLE neonBodies
#include "mathlib/bodies.h"
