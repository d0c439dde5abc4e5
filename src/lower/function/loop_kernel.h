// A loop of the function as a kernel: its iterations are those of threads.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// A kernel whose body is emitted as a function's is. What it uses from outside are its parameters;
// constants it has itself.
class LoopKernel {
public:
    // `fill` emits the body, in a function of its own; nothing in it may call the host.
    LoopKernel(FunctionState &state, mlir::Location loc, llvm::ArrayRef<int32_t> threads,
               llvm::function_ref<void()> fill);

    // Devices have all functions that it calls. Else it is to be erased.
    bool isComplete();
    void erase() { kernel.erase(); }
    // A thread may find an error: then it ends, and sets the flag.
    bool mayRaise() const { return raises; }
    // Launches it with so many blocks. `flag`: its address on the device, if it may raise.
    void launch(mlir::Value blocksX, mlir::Value blocksY, mlir::Value flag);

private:
    FunctionState &state;
    mlir::Location loc;
    mlir::func::FuncOp kernel;
    Values parameters;
    bool raises = false;
};

} // namespace shapecast
