// Displays of tuples, lists and dicts.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// (a, *b) and [a, *b]
mlir::Value emitSequence(FunctionEmitter &f, pybind11::handle node, bool list);
// `elements` alternate keys and values; those at the indices `starred` are mappings to unpack.
mlir::Value makeDict(FunctionEmitter &f, mlir::ValueRange elements,
                     llvm::ArrayRef<int64_t> starred);
// {key: value, **other}
mlir::Value emitDict(FunctionEmitter &f, pybind11::handle node);
// dict(pairs, name=value, **other)
mlir::Value emitDictCall(FunctionEmitter &f, pybind11::handle call);

} // namespace shapecast::capture
