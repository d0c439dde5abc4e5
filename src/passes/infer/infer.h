// np-infer: abstract interpretation of the entry function for the call's types.
//
// Before: one public np.func, specialised (typed arguments, casts to any) and inlined; its body is
// captured Python on `tensor<*x!np.any>`. The attributes `hints` and `forbidden_guards` give
// the call's sizes and the guards that must not be assumed. After: the body is rebuilt out of typed
// ops. No value is unranked or untyped, no Python structure is left (tuples are scalarised, static
// branches pruned), each weak/strong conversion is explicit or implied by a ufunc's `loop`. Every
// equality or bound of sizes used later is proved, a guard (attribute `guards`), or an np.require
// before its use. The attribute `result` describes the returned tree.
//
// How: a forward walk that emits typed ops as it goes (TypedBuilder); `env` maps captured values to
// abstract ones (Val). A branch on a known condition walks only the live arm. A loop is a fixed
// point: it assumes the types of its initial values at the header, emits the body, joins with what
// the body yields, and repeats where the join is wider (dims widen to fresh symbols once, layouts
// drop, weak constants become strong); values without a join are an error that names both.
#pragma once

#include "ir/np.h"

namespace shapecast {

mlir::LogicalResult inferTypes(mlir::ModuleOp module);

} // namespace shapecast
