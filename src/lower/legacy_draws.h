// A random number of np.random's own functions, in line.
//
// They draw from the one RandomState that NumPy has made, whose words the Mersenne Twister gives
// unless a program replaces it (runtime/mt19937.h). Taking a word is a load and ten operations,
// which a call would outweigh. What is not so is a call: a generator that this call of the function
// has not opened yet, another kind of generator, a state of which all words are given.
#pragma once

#include "lower/function_state.h"

namespace shapecast {

class FunctionState::LegacyDraw {
public:
    static bool isOne(np::NativeOp op);

    LegacyDraw(FunctionState &state, np::NativeOp op);
    void draw();

private:
    mlir::Value word(uint32_t value);
    mlir::Value wide(int64_t value);
    mlir::Value real(double value);
    mlir::Value parameter(unsigned k);
    mlir::Value isSet(mlir::Value pointer);
    mlir::Value wordAt(mlir::Value index);
    mlir::Value call(llvm::StringRef name, mlir::ValueRange operands);
    void goOnIf(mlir::Value condition, mlir::Block *otherwise);
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
