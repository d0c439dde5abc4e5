// Instantiates every body for the vector width of this compilation's instruction set, and lists
// them.
//
// Include it once, from isa_*.cpp, after defining SC_MATH_BYTES (of a vector) and SC_MATH_TABLE
// (the function that returns the list).
#pragma once

#include "mathlib/complex.h"
#include "mathlib/error_function.h"
#include "mathlib/gamma.h"
#include "mathlib/inverse.h"
#include "mathlib/mathlib.h"
#include "mathlib/power.h"
#include "mathlib/remainder.h"
#include "mathlib/roots.h"
#include "mathlib/trigonometric.h"

#include <iterator>

namespace shapecast::mathlib {
namespace SC_MATH_ISA {

using Doubles = Vec<double, SC_MATH_BYTES / 8>;
using Floats = Vec<float, SC_MATH_BYTES / 4>;

#define SC_HEAVY1(name)                                                                            \
    static Doubles name##Doubles(Doubles x) { return name(x); }                                    \
    static Floats name##Floats(Floats x) { return name(x); }
#define SC_HEAVY2(name)                                                                            \
    static Doubles name##Doubles(Doubles x, Doubles y) { return name(x, y); }                      \
    static Floats name##Floats(Floats x, Floats y) { return name(x, y); }
#define SC_LIGHT1(name)                                                                            \
    SC_MATH_KEEPS static Doubles name##Doubles(Doubles x) { return name(x); }                      \
    SC_MATH_KEEPS static Floats name##Floats(Floats x) { return name(x); }
#define SC_LIGHT2(name)                                                                            \
    SC_MATH_KEEPS static Doubles name##Doubles(Doubles x, Doubles y) { return name(x, y); }        \
    SC_MATH_KEEPS static Floats name##Floats(Floats x, Floats y) { return name(x, y); }
SC_MATH_BODIES1(SC_LIGHT1, SC_HEAVY1)
SC_MATH_BODIES_OF_HOSTS(SC_LIGHT1, SC_HEAVY1)
SC_MATH_BODIES2(SC_LIGHT2, SC_HEAVY2)

#define SC_ROW(name, arguments, keeps)                                                             \
    {#name,                                                                                        \
     arguments,                                                                                    \
     {reinterpret_cast<void *>(&name##Doubles), reinterpret_cast<void *>(&name##Floats)},          \
     keeps},
#define SC_LIGHT_ROW1(name) SC_ROW(name, 1, SC_MATH_CAN_KEEP)
#define SC_LIGHT_ROW2(name) SC_ROW(name, 2, SC_MATH_CAN_KEEP)
#define SC_HEAVY_ROW1(name) SC_ROW(name, 1, false)
#define SC_HEAVY_ROW2(name) SC_ROW(name, 2, false)
static const Body table[] = {SC_MATH_BODIES1(SC_LIGHT_ROW1, SC_HEAVY_ROW1) SC_MATH_BODIES_OF_HOSTS(
    SC_LIGHT_ROW1, SC_HEAVY_ROW1) SC_MATH_BODIES2(SC_LIGHT_ROW2, SC_HEAVY_ROW2)};

} // namespace SC_MATH_ISA

const Body *SC_MATH_TABLE(size_t *count) {
    *count = std::size(SC_MATH_ISA::table);
    return SC_MATH_ISA::table;
}

} // namespace shapecast::mathlib
