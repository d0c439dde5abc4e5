// Nests over arrays on a device: their kernels, and the host's code that launches them.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// Where kernels are emitted: the module `kernels` in the function's module, made at the first use.
mlir::ModuleOp kernelsOf(mlir::ModuleOp module);

// A new name for a kernel of the function. Names in PTX have only ASCII letters, digits and "_$":
// what else a Python name or a specialised callee's has becomes "_".
std::string nextKernelName(FunctionState &state);

bool isOnDevice(mlir::Operation *op); // whether an operand is an array on a device

// The nest's kernels (lower/gpu/gpu_kernel.h) and launches of them, one after the other on the
// call's stream. What the nest returns as scalars is read, and waited for. False: devices have no
// code for what it computes, or its stores must be made in order.
bool emitLaunches(FunctionState &state, np::NestOp op);

// Launches one kernel; `parameters` are slots with its parameters' values.
void emitLaunch(FunctionState &state, mlir::Location loc, mlir::func::FuncOp kernel,
                mlir::Value parameters, mlir::Value blocksX, mlir::Value blocksY);
// Its number, which the run time launches it by.
int64_t kernelNumber(FunctionState &state, mlir::func::FuncOp kernel);
// Whether devices have all functions that it calls, and take so many parameters.
bool canLaunch(mlir::func::FuncOp kernel);

// f.explain() says that here: "the host waits for an element".
void noteOnDevice(FunctionState &state, mlir::Location loc, llvm::StringRef what);
// 1 where the pointer is null (i32).
mlir::Value isNull(FunctionState &state, mlir::Location loc, mlir::Value pointer);
// Raises DeviceError, with the driver's text, when the status (i32) is not 0.
void raiseOnDevice(FunctionState &state, mlir::Value status, mlir::Location loc);

} // namespace shapecast
