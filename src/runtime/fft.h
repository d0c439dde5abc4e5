// Fourier transforms of our own in the place of NumPy's: of a power of two of float64 or complex128
// points, on processors with AVX2. All else stays NumPy's.
#pragma once

#include "runtime/ufunc_loops.h"

namespace shapecast::runtime {

// The loop that stands for NumPy's of that name: it keeps NumPy's for what it does not serve. Other
// loops are returned as they are.
UfuncLoop withOwnTransforms(const std::string &name, const UfuncLoop &loop);

} // namespace shapecast::runtime
