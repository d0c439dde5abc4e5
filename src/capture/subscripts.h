// The keys of subscripts.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// lower:upper:step
mlir::Value emitSlice(FunctionEmitter &f, pybind11::handle node);
// The keys of a subscript: the elements of a tuple, unless it has only one.
llvm::SmallVector<mlir::Value> emitKeys(FunctionEmitter &f, pybind11::handle slice);
// np.mgrid[...] and the like: a call with the keys, and a flag whether they are a tuple.
mlir::Value emitIndexTrick(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
