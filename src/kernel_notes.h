// What each kernel computes, in words: for f.explain() and the view in notebooks.
#pragma once

#include "passes/analysis/nest_report.h"
#include "user_error.h"

namespace shapecast {

// One for each kernel of the module `kernels`, in the order of the module: "kernel f_kernel0: s0
// elements, ...". A frame for each line of the function that it computes. `nests` are all that the
// module had when kernels were made of them; kernels of loops are in none.
std::vector<ErrorSite> describeKernels(mlir::ModuleOp kernels,
                                       const std::vector<NestReport> &nests);

} // namespace shapecast
