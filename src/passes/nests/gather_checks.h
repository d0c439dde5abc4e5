// np-gathers: the bounds checks of gathers are fused into the nests that gather: speculation, with
// the checks as the slow path.
//
//     check(x, i)               # a pass over the indices             y = x[clamp(i)]
//     check(x, i + 1)           # and one more                            + x[clamp(i + 1)]
//     y = x[i] + x[i + 1]                                 ->          if any was out of bounds:
//                                                                         check, check
//
// Before: the IR after np-strip-mine: checks before a nest cover all indices of its np.take.
// After: as before, but that in a nest as above np.take gets 0 for an index that is out of bounds,
// and the nest has one more result, the last: whether there was such an index ("checks"). Where it
// is true, the checks run, and raise what they would have raised before. So what the nest stores
// must not be observable: it writes only arrays that the function made and that do not escape from
// nests, loads and stores. In an empty axis even index 0 is out of bounds: there the checks run
// before the nest as well.
//
// Scatters, the loops of ufunc.at that store to such an array, check each index before its store,
// instead of all indices before the loop (scatter_checks.cpp).
#pragma once

#include "ir/np.h"

namespace shapecast {

// Allocated by the function, and used by nests, loads, stores and `but` only, so that it does not
// escape where something raises.
bool isFresh(mlir::Value array, mlir::Operation *but = nullptr);

mlir::LogicalResult fuseGatherChecks(mlir::ModuleOp module);

} // namespace shapecast
