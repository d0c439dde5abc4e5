// np-masked-sums: fuses a boolean-mask gather into the sum of its result.
//
//     x[mask].sum()      # a gather into an array, and a sum       ->     one pass
//
// The runtime function (runtime/masked_sum.cpp) adds in the order in which the array's elements
// would be added.
//
// Before: the IR after np-promote. After: as before.
#pragma once

#include "ir/np.h"

namespace shapecast {

void fuseMaskedSums(np::FuncOp func);

} // namespace shapecast
