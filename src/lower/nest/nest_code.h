// For the view of a variant in notebooks: the code of each nest, from the functions that np-loops
// outlined them into.
#pragma once

#include "passes/analysis/nest_report.h"

namespace shapecast {

// Fills NestReport::code; a nest and its function have one location.
//
// Before: the IR after np-loops, which it does not change; the reports were made before it.
void reportNestCode(mlir::ModuleOp module, std::vector<NestReport> &nests);

} // namespace shapecast
