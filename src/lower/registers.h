// Loops around nests, turned inside out: for a few neighbours at once, all turns.
//
// Before: the loop has the attribute `registers` (passes/registers.h). After: loops over the nests'
// points, the last one in steps of several vectors; in it the nests before the program's loops,
// these, which carry the vectors of what their nests write, and the nests behind them. The last
// step of a row is masked. Each element goes through the same operations in the same order.
#pragma once

#include "lower/function_state.h"
#include "lower/nest_body.h"
#include "passes/registers.h"

#include <vector>

namespace shapecast {

class FunctionState::Registers {
public:
    Registers(FunctionState &state, np::ForOp loop);

    // With the nests beside the loop, if they can take part. Nothing: not in registers at all.
    std::optional<RegisterNests> plan();
    void emit(); // what is planned

private:
    bool tryPlan(RegisterNests nests, bool collapses);
    // Neighbours lie side by side, and vectors have a form of what is computed of them.
    bool arePossible();
    void add(llvm::ArrayRef<np::NestOp> nests, bool collapses);
    bool isShared(); // its points are worth threads, and no loop around is shared
    bool isFit(const NestPlan &plan);
    std::optional<unsigned> keptAs(mlir::Value handle);
    mlir::Value load(const NestPlan &plan, const NestAccess &read, const Values &indices,
                     mlir::Value mask);
    void bindHandles(np::ForOp op);
    void loopOver(mlir::Value from, mlir::Value to, int64_t step, mlir::ValueRange carried,
                  llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body, Values &results);
    void points(unsigned level, Values indices, mlir::Value from, mlir::Value to);
    void row(const Values &indices, mlir::Value from, mlir::Value to);
    void chunk(const Values &indices, mlir::Value mask);
    Values turns(np::ForOp op, const Values &indices, mlir::Value mask, mlir::ValueRange carried);
    void element(const NestPlan &plan, const Values &indices, mlir::Value mask, Values &vectors);
    mlir::Value address(const NestPlan &plan, const NestAccess &access, const Values &indices);

    FunctionState &state;
    mlir::OpBuilder &b;
    np::ForOp loop;
    mlir::Location loc;
    RegisterNests planned;
    std::vector<NestPlan> plans; // of the nests, in the program's order
    struct Kept {
        mlir::Value array; // as it was before the loops
        unsigned plan, write;
    };
    llvm::SmallVector<Kept> kept; // what the nests write
    unsigned carried = 0;         // so many of them the turns carry, the first ones
    unsigned lanes = 0;
};

} // namespace shapecast
