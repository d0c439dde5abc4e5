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
// function(*first, ...) with the call's arguments, which may be `*items`.
mlir::Value emitApplied(FunctionEmitter &f, mlir::Value function,
                        llvm::SmallVector<mlir::Value> first, pybind11::handle call);
bool hasStarred(pybind11::handle call);
// The keyword arguments alone.
mlir::ArrayAttr emitKeywordArguments(FunctionEmitter &f, pybind11::handle call,
                                     llvm::SmallVector<mlir::Value> &values,
                                     bool mayBeObjects = false);

} // namespace shapecast::capture
