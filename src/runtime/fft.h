// Replaces NumPy's Fourier transforms of a power of two of float64 or complex128 points, on
// processors with AVX2. All others stay NumPy's.
#pragma once

#include "runtime/ufunc_loop.h"

#include <string>

namespace shapecast::runtime {

// The loop that replaces NumPy's of that name; it calls NumPy's for lengths that it does not
// support. Other loops are returned as they are.
UfuncLoop replaceFftLoop(const std::string &name, const UfuncLoop &loop);

} // namespace shapecast::runtime
