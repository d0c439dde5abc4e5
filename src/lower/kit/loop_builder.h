// Loops of blocks, counted ones and `while`, with loop-carried values and polls.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

// header(carried): condition ? body : exit(results); body: header(next)
class LoopBuilder {
public:
    enum class Polls { No, Counted }; // Counted: by the number of iterations, which it carries

    // Begins the loop: code goes on in the header, with its arguments instead of `inits`.
    LoopBuilder(FunctionState &state, mlir::Location loc, mlir::ValueRange inits,
                mlir::TypeRange results, Polls polls = Polls::No);
    // The same with an exit that exists.
    LoopBuilder(FunctionState &state, mlir::Location loc, mlir::ValueRange inits,
                mlir::Block *exit);

    mlir::ValueRange carried() const;
    // Ends the header: code goes on in the body where `condition` holds, else the loop is left.
    void continueIf(mlir::Value condition, mlir::ValueRange results);
    void continueIf(mlir::Value condition, mlir::Block *elsewhere, mlir::ValueRange values);
    // Ends the body. With a condition: the loop is left where it does not hold.
    void next(mlir::ValueRange values);
    void nextIf(mlir::Value condition, mlir::ValueRange values, mlir::ValueRange results);
    // Code goes on behind the loop; returns the results.
    mlir::ValueRange end();

    mlir::Block *header, *body, *exit;

private:
    Values withCount(mlir::ValueRange values) const;

    FunctionState &state;
    mlir::Location loc;
    Polls polls;
    mlir::Value count; // of iterations until the next poll
};

// for (counter = from; counter < to; counter += step): `body` emits an iteration and returns the
// next carried values. Returns the last ones.
Values
emitCountedLoop(FunctionState &state, mlir::Location loc, mlir::Value from, mlir::Value to,
                int64_t step, mlir::ValueRange inits,
                llvm::function_ref<Values(mlir::Value counter, mlir::ValueRange carried)> body);

} // namespace shapecast
