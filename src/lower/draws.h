// Random numbers that a loop draws one by one, in line.
//
// A loop of scalar code that draws uniform, normal or exponential numbers from one generator: if
// that is NumPy's usual one (runtime/pcg64.h), its state is in registers while the loop runs, and
// a number takes a multiplication of 128 bits and a few steps, without a call. The state is written
// back wherever something else could look at it: at the end of the loop, before an error leaves it,
// before each poll. Other generators, and the rare number that a ziggurat leaves to NumPy, are
// calls. What np.random draws by itself: legacy_draws.h.
#pragma once

#include "lower/function_state.h"

namespace shapecast {

class FunctionState::Draws {
public:
    // What the loop draws from, if it is such a loop; else null.
    static mlir::Value generatorOf(mlir::Operation *loop);

    // Before the loop. From then on the state's error exit is this one's; end() stands behind it.
    Draws(FunctionState &state, mlir::Operation *loop, mlir::Value generator);
    void end();

    bool isOne(mlir::Operation *op) const; // of the numbers that are drawn in line
    void draw(np::NativeOp op);
    void giveBack(); // the state, to where NumPy has it
    void takeAgain();

private:
    struct Ziggurat;
    mlir::Value number(int64_t value);
    mlir::Value call(llvm::StringRef name, mlir::ValueRange operands, mlir::Type result);
    mlir::Value bits();
    mlir::Value real(mlir::Value whole);
    mlir::Value standard(llvm::StringRef name);
    mlir::Value ofZiggurat(const Ziggurat &ziggurat);

    FunctionState &state;
    mlir::OpBuilder &b;
    mlir::Location loc;
    mlir::Type pointer, wide;
    mlir::Value generator; // the np value
    mlir::Value object;    // its address
    mlir::Value isOwn;     // it is the usual one
    mlir::Value place;     // where NumPy has its state; room for one if it is not
    mlir::Value kept;      // the state in the loop: LLVM makes registers of it
    mlir::Value increment;
    llvm::StringMap<mlir::Value> tables; // of the ziggurats, by their names
    mlir::Block *failureAround, *failure;
};

} // namespace shapecast
