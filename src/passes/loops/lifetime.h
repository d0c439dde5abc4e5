// np-lifetime: liveness of buffers, as retains and releases (precise reference counting, as in
// Perceus: the last use moves or releases the reference).
//
// Before: typed functions with handles; allocations are np.alloc (and np.materialize), no np.retain
// or np.release. Owned references: an allocation, a result of np.reshape_any, np.call or np.entry,
// and a handle that a loop or if defines (its results, a loop body's carried arguments), are owned
// by their block. Function arguments are borrowed from the caller; a view borrows from its base, so
// a use of it is a use of the base. np.next, np.yield, np.return and a loop's initial values
// consume a reference: one whose last use that is moves there, else one more is retained. A
// reference whose last use is an if, of which a branch yields it, is moved into both branches. A
// container that np.entry gives is borrowed instead where it is only read from, and stored numbers
// to, before anything may drop the reference that the entry holds.
// After: on every path each reference is released or moved exactly once, after its last use; an
// error exit frees all (abi.h). A result of np.entry that nothing releases or moves is borrowed.
#pragma once

#include "ir/np.h"

namespace shapecast {

mlir::LogicalResult insertReleases(mlir::ModuleOp module);

} // namespace shapecast
