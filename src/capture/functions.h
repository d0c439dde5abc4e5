// Functions as values: lambdas, nested functions, functions passed as arguments.
//
// A nested function is an np.func whose first arguments are its free variables. Python looks those
// up when the function is called (late binding), we where the closure is created. Where a single
// `def` assigns the name, each call creates a closure of the current variables; everywhere else
// they must not be reassigned further down. An enclosing loop reassigns them in its next iteration:
// such a closure is marked, and np-infer rejects it where it outlives the iteration.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

enum class Use { // of a nested function's name
    Defined,     // by its `def`: each use creates a new closure
    Called,
    Passed,  // as an argument
    Escaping // anything else: its variables may be reassigned before it is called
};

// A name that is read, here or in an enclosing scope.
mlir::Value emitName(FunctionEmitter &f, pybind11::handle node, Use use = Use::Escaping);
// The nested function as a value, used at `useSite`. `name` is its own name for recursive calls, ""
// for a lambda.
mlir::Value emitClosure(FunctionEmitter &f, pybind11::handle definition, const std::string &name,
                        Use use, pybind11::handle useSite);
// A function read as a value: a plain one, a method, one of NumPy or a builtin.
mlir::Value emitFunctionValue(FunctionEmitter &f, const ExternalRef &found, pybind11::handle node);
// The value of a default that is not a constant: a function. Others (arrays, objects) must be
// passed.
mlir::Value emitDefault(FunctionEmitter &f, const ParameterInfo &parameter, pybind11::handle node);

} // namespace shapecast::capture
