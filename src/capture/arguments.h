// The arguments of calls.
#pragma once

#include "capture/functions.h"

namespace shapecast::capture {

// An expression that may be a nested function, which is called or passed on.
mlir::Value emitUse(FunctionEmitter &f, pybind11::handle node, Use use);
// The call's positional arguments; mayBeObjects: the callee is specialised for objects among them.
void emitPositional(FunctionEmitter &f, pybind11::handle call,
                    llvm::SmallVector<mlir::Value> &values, bool mayBeObjects = false);
// Appends the call's arguments; returns the names of the keyword arguments among them (the last
// ones), or null.
mlir::ArrayAttr emitArguments(FunctionEmitter &f, pybind11::handle call,
                              llvm::SmallVector<mlir::Value> &values, bool mayBeObjects = false);
// The keyword arguments alone.
mlir::ArrayAttr emitKeywordArguments(FunctionEmitter &f, pybind11::handle call,
                                     llvm::SmallVector<mlir::Value> &values,
                                     bool mayBeObjects = false);

} // namespace shapecast::capture
