// np-lifetime: every buffer gets its releases (reference counts, as in Perceus: the last use hands
// on or gives up).
#pragma once

#include "mlir/Pass/Pass.h"
#include <memory>

// Before: typed functions with handles; allocations are np.alloc (and np.materialize), no np.retain
// or np.release. Owners: an allocation, a result of np.reshape_any or np.call, and a handle that a
// loop or if gives (its results, a loop body's carried arguments), is owned by its block. Function
// arguments are borrowed from the caller; a view borrows from its base, so a use of it is a use of
// the base. np.next, np.yield, np.return and a loop's initial values take an owner: they are handed
// one that ends there, else one more is retained. An owner that ends with an if, of which a branch
// gives it on, is the branches' own. After: on every path each owner is given up exactly once,
// after its last use; an error exit frees all (abi.h).
