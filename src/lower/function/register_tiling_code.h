// Register tiling: loop interchange of loops around nests, and scalar replacement of what these
// write.
//
// Before: the loop has the attribute `register_tiled` (passes/loops/register_tiling.h). After:
// loops over the nests' points, the last one in steps of a tile of several vectors; inside, the
// nests before the program's loops, then these loops, which carry vectors of what their nests
// write, then the nests behind them. The last tile of a row is masked. Each element goes through
// the same operations in the same order.
#pragma once

#include "lower/kit/function_state.h"
#include "lower/nest/nest_body.h"
#include "passes/loops/register_tiling.h"

#include <vector>

namespace shapecast {

class RegisterTiling {
public:
    RegisterTiling(FunctionState &state, np::ForOp loop);

    // Which nests are tiled: with those beside the loop if possible. None: tiling is not possible.
    std::optional<TiledNests> plan();
    void emit(); // what plan() returned

private:
    bool tryPlan(TiledNests nests, bool collapses);
    // Neighbours are contiguous, and all operations have a vector form.
    bool canVectorise();
    void add(llvm::ArrayRef<np::NestOp> nests, bool collapses);
    bool mayShare(); // its points among threads: no loop around is shared
    bool isFit(const NestPlan &plan);
    std::optional<unsigned> replacementOf(mlir::Value handle);
    mlir::Value load(const NestPlan &plan, const NestAccess &read, const Values &indices,
                     mlir::Value mask);
    void bindHandles(np::ForOp op);
    void points(unsigned level, Values indices, mlir::Value from, mlir::Value to);
    void row(const Values &indices, mlir::Value from, mlir::Value to);
    void tile(const Values &indices, mlir::Value mask);
    Values programLoop(np::ForOp op, const Values &indices, mlir::Value mask,
                       mlir::ValueRange carried);
    void element(const NestPlan &plan, const Values &indices, mlir::Value mask, Values &vectors);
    mlir::Value address(const NestPlan &plan, const NestAccess &access, const Values &indices);

    FunctionState &state;
    mlir::OpBuilder &b;
    np::ForOp loop;
    mlir::Location loc;
    TiledNests planned;
    std::vector<NestPlan> plans; // of the nests, in the program's order
    struct Replacement {
        mlir::Value array; // as it was before the loops
        unsigned plan, write;
    };
    llvm::SmallVector<Replacement> replaced; // the arrays that the nests write
    unsigned carried = 0;                    // so many of them the loops carry, the first ones
    unsigned lanes = 0;
};

} // namespace shapecast
