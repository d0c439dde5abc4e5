// np-scatters: the bounds checks of scatters are sunk into the loops that store.
//
//     check_indices(a, indices)                      for i in range(len(indices)):
//     for i in range(len(indices)):                      given = int(indices[i])
//         given = int(indices[i])             ->         require -size <= given < size
//         k = given + size if given < 0                  k = wrap(given, size)
//             else given                                 a[k] = ...
//         a[k] = ...
//
// Before: the IR after np-gathers: a native function checks all indices before the loop that
// scatters. After: as before, but that such loops check each index before its store, where what has
// been stored when one raises cannot be observed: the array is the function's own.
#pragma once

#include "ir/np.h"

namespace shapecast {

mlir::LogicalResult sinkScatterChecks(mlir::ModuleOp module);

} // namespace shapecast
