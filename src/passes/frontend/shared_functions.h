// np-inline: which functions share their code among calls, instead of being inlined into each.
#pragma once

#include "ir/np.h"

#include "mlir/IR/SymbolTable.h"

namespace shapecast {

// Before: captured functions, none inlined. After: in a long program those that are not very short
// have the attribute `noinline`, by which np-inline keeps their calls, and np-infer shares code
// among those with equal types, where it can. It says among which:
//   "unrolled"  those in loops that are unrolled, where the code is long: else there is one
//   "long"      all, where the code turns out to be long
//   "calls"     all
//   "arrays"    all, those of arrays too, which would be fused with the rest if they were inlined:
//               the program is very long
void markSharedFunctions(mlir::ModuleOp module, mlir::SymbolTable &symbols);

} // namespace shapecast
