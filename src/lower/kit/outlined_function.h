// A private function that code is moved to.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// A part of a loop's iterations as a function, a runtime::LoopPart. What it uses from outside it
// finds in slots; constants it has itself.
class OutlinedFunction {
public:
    // `fill` emits the iterations [from, to) into it. The function has its own context, error exit
    // and fuel, and returns 0 at the end.
    OutlinedFunction(FunctionState &state, mlir::Location loc,
                     llvm::function_ref<void(mlir::Value from, mlir::Value to)> fill);

    // Stores what it uses to slots of the frame around it.
    mlir::Value captured();
    // Its status. `slots`: captured().
    mlir::Value call(mlir::Value slots, mlir::Value from, mlir::Value to);

    mlir::func::FuncOp callee;

private:
    FunctionState &state;
    mlir::Location loc;
    Values operands;
};

// A private function next to the one that is lowered.
mlir::func::FuncOp makePrivate(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                               mlir::FunctionType type);
// The versions of a loop often contain the same nests, and layers of a model the same strip-mined
// loops: they are compiled once. Returns an earlier function that is equal, or this one.
mlir::func::FuncOp mergeEqual(FunctionState &state, mlir::func::FuncOp callee);
mlir::Value addressOf(FunctionState &state, mlir::func::FuncOp callee);

} // namespace shapecast
