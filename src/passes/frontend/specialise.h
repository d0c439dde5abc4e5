// np-specialise: types the captured function's parameters for the call.
//
// Before: captured functions; the public one carries the attribute `signature` (a type per
// parameter, or the value of a static one) beside `hints`, `alias` and, where the key has some,
// `strides`; without `signature` it has no parameters. After: the entry's parameters have those
// types, and an np.cast turns each into `tensor<*x!np.any>` for the body. Where the attribute
// `structure` (ir/call_structure.h) says that arguments are tuples, lists, dicts or ranges, the
// entry's parameters are their items, and np.tuple builds them again. Objects have no parameter:
// capture has read their attributes.
#pragma once

#include "ir/np.h"

namespace shapecast {

mlir::LogicalResult specialise(mlir::ModuleOp module);

} // namespace shapecast
