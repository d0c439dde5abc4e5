// np-profile: where the time of a profiled call goes. Nothing happens unless the module has the
// attribute np.profile.
//
//     np.nest [s0] ...  loc(line 4)          np.mark 1 bytes 16 * s0
//     np.for i = 0 to n {               ->   np.nest [s0] ...
//       %k = np.ufunc ...                    np.mark 2
//     }                 loc(line 5)          np.for i = 0 to n { %k = np.ufunc ... }
//
// Before: the IR after np-outer-vectorise. After: as before, with an np.mark wherever what runs
// next has another row, and the rows in np.profile (#np.profile_row). A mark reads the clock, some
// 30 ns, so what is cheap has none of its own. A row is
// - "nest" (text: its space, and the other lines fused into it), "strips" (nests that are
//   strip-mined together), "product", "library" (a run-time function), "call" (of Python, or of a
//   recursive function);
// - "loop": one that holds none of these, with all that is in it; loops around them are looked
// into;
// - "line": the numbers, handles and buffers between these, counted for the line of the first;
// - "start", row 0: what comes before the first mark.
#pragma once

#include "ir/np.h"

namespace shapecast {

llvm::LogicalResult markProfile(mlir::ModuleOp module);

} // namespace shapecast
