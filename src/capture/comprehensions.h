// Comprehensions and generator expressions: loops that carry a dynamic list.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// `[... for target in iterable if condition ...]` from generator number `generator` on: a loop that
// carries a dynamic list.
mlir::Value emitComprehension(FunctionEmitter &f, pybind11::handle node, size_t generator,
                              mlir::Value list);
// next(... for ...), next((... for ...), default): nothing after the first item is evaluated.
mlir::Value emitNext(FunctionEmitter &f, pybind11::handle items, pybind11::handle call);
// any(... for ...), all(... for ...): nothing after the item that decides is evaluated.
mlir::Value emitAnyOrAll(FunctionEmitter &f, pybind11::handle items, bool isAll);
// The items of a comprehension, or of a generator expression.
mlir::Value emitListOf(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
