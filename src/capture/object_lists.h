// Lists of objects, loops over them, and variables that refer to objects.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// container[key], where the item is an object, or a list or tuple of objects.
std::optional<ExternalRef> objectItem(FunctionEmitter &f, pybind11::handle subscript);
// The objects that a loop iterates over: a list, tuple or dict.values() of them, a slice of it,
// reversed.
std::optional<std::vector<ExternalRef>> objectsIn(FunctionEmitter &f, pybind11::handle node);
// What a loop over `iter` binds in each iteration: objects, and with enumerate() and zip() values.
std::optional<std::vector<Iteration>> objectIterations(FunctionEmitter &f, pybind11::handle target,
                                                       pybind11::handle iter);
// Binds the variables of an iteration; those of objects until forgetIteration().
void bindIteration(FunctionEmitter &f, const Iteration &iteration,
                   llvm::function_ref<void(pybind11::handle, mlir::Value)> bind);
void forgetIteration(FunctionEmitter &f, const Iteration &iteration);
// From here to forgetObject() the variable refers to the object.
void bindObject(FunctionEmitter &f, const std::string &name, const ExternalRef &object,
                pybind11::handle node);
void forgetObject(FunctionEmitter &f, const std::string &name);
// `for target in objects: body else: orelse` is unrolled: a loop of one iteration for the first
// object, whose else is the loop over the others.
Statement *objectLoop(FunctionEmitter &f, const Statement &s, llvm::ArrayRef<Iteration> iterations);

} // namespace shapecast::capture
