// Inlined code for a random number of np.random's own functions.
//
// They draw from NumPy's global RandomState, whose bit generator is a Mersenne Twister unless a
// program replaces it (runtime/mt19937.h). Drawing a word is a load and ten operations, less than a
// call costs. Other cases are calls: a generator that this call of the function has not opened yet,
// another bit generator, a state whose words are used up.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

class LegacyDraw {
public:
    static bool isInlined(np::NativeOp op);

    LegacyDraw(FunctionState &state, np::NativeOp op);
    void draw();

private:
    mlir::Value word(uint32_t value);
    mlir::Value wide(int64_t value);
    mlir::Value real(double value);
    mlir::Value parameter(unsigned k);
    mlir::Value isSet(mlir::Value pointer);
    mlir::Value wordAt(mlir::Value index);
    void continueIf(mlir::Value condition, mlir::Block *otherwise);
    void findState();
    llvm::SmallVector<mlir::Value> words(uint32_t count);
    mlir::Value unit();
    mlir::Value exponential();
    mlir::Value power(mlir::Value x, mlir::Value y);
    mlir::Value integer();
    mlir::Value number();

    FunctionState &state;
    mlir::OpBuilder &b;
    np::NativeOp op;
    mlir::Location loc;
    mlir::Value twister; // where its state is
    mlir::Block *other;  // the call
};

} // namespace shapecast
