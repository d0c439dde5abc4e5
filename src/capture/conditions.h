// Truth values, and expressions that are evaluated conditionally.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// In a condition, `a and b` and `not a` use only the truth values of a and b, whatever their types.
mlir::Value emitTruth(FunctionEmitter &f, pybind11::handle node);
// A conditional expression: its result. The variables that `:=` assigns in the arms are joined.
mlir::Value emitSelect(FunctionEmitter &f, mlir::Value condition,
                       llvm::function_ref<mlir::Value()> then,
                       llvm::function_ref<mlir::Value()> orelse);
// `a and b`: b when a is true, else a itself.
mlir::Value emitBoolOp(FunctionEmitter &f, pybind11::handle node, bool isAnd, size_t first,
                       bool truths = false);

} // namespace shapecast::capture
