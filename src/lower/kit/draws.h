// Inlined code for the random numbers that a loop draws one by one.
//
// A loop of scalar code that draws uniform, normal or exponential numbers from one generator: if
// that is a PCG64, NumPy's default (runtime/pcg64.h), its state is in registers while the loop
// runs, and a number takes a 128-bit multiplication and a few operations, without a call. The state
// is written back wherever something else could read it: at the end of the loop, before an error
// exit, before each poll. Other generators, and the rare number that a ziggurat leaves to NumPy,
// are calls. For np.random's own functions: legacy_draws.h.
#pragma once

#include "lower/kit/function_state.h"

#include "llvm/ADT/StringMap.h"

namespace shapecast {

class Draws final : public KeptInRegisters {
public:
    // The one generator of such a loop; null for other loops.
    static mlir::Value generatorOf(mlir::Operation *loop);

    // Construct before the loop is emitted, call end() after it. In between, the function's error
    // exit first writes the generator's state back.
    Draws(FunctionState &state, mlir::Operation *loop, mlir::Value generator);
    void end();

    bool isInlined(mlir::Operation *op) const; // draws from this generator
    void draw(np::NativeOp op);
    void writeBack() override; // the state, to NumPy's object
    void reload() override;

private:
    struct Ziggurat;
    mlir::Value number(int64_t value);
    mlir::Value bits();
    mlir::Value toDouble(mlir::Value whole);
    mlir::Value standard(llvm::StringRef name);
    mlir::Value drawZiggurat(const Ziggurat &ziggurat);

    FunctionState &state;
    mlir::OpBuilder &b;
    mlir::Location loc;
    mlir::Type pointer, wide;
    mlir::Value generator;    // the np value
    mlir::Value object;       // its address
    mlir::Value isPcg64;      // i1: it is one
    mlir::Value stateAddress; // of NumPy's state; of a dummy if it is not
    mlir::Value localState;   // the state in the loop: SROA promotes these slots to registers
    mlir::Value increment;
    llvm::StringMap<mlir::Value> tables; // of the ziggurats, by their names
    mlir::Block *outerFailure, *failure;
};

} // namespace shapecast
