// A nest that is being emitted: its plan, points and loops. What is emitted are free functions, a
// file a concern: nest_emit.cpp has the loops' order; nest_rows.h, nest_tree.h,
// nest_arg_reduction.h and early_exit.h reductions; nest_copies.h, nest_pairs.h, nest_counts.h,
// nest_gathers.h and nest_jam.h special cases of the innermost loops; nest_polls.h when it polls.
#pragma once

#include "lower/nest/nest_body.h"

namespace shapecast {

class NestEmitter {
public:
    NestEmitter(const NestPlan &plan, NestContext env)
        : plan(plan), env(env), op(plan.op), loc(plan.op->getLoc()), body(plan, env) {}

    mlir::Value constant(mlir::OpBuilder &builder, int64_t value) {
        return env.dims.constant(builder, loc, value);
    }
    mlir::Value size(mlir::OpBuilder &builder, unsigned loop) {
        return env.dims.emit(builder, loc, plan.loops[loop].size);
    }
    // The iterations of a loop that are done here: [first, end).
    bool isPart(unsigned loop) const { return env.from && plan.shared == loop; }
    mlir::Value first(mlir::OpBuilder &builder, unsigned loop) {
        return isPart(loop) ? env.from : constant(builder, 0);
    }
    mlir::Value end(mlir::OpBuilder &builder, unsigned loop) {
        return isPart(loop) ? env.to : size(builder, loop);
    }
    const NestAccess &access(unsigned k) const {
        return k < plan.reads.size() ? plan.reads[k] : plan.writes[k - plan.reads.size()];
    }
    NestPoint start(mlir::OpBuilder &builder);
    NestPoint step(mlir::OpBuilder &builder, const NestPoint &point, unsigned loop, mlir::Value iv);
    void finish(mlir::OpBuilder &builder, NestPoint &point);
    Values atPoint(mlir::OpBuilder &builder, const NestPoint &point, mlir::ValueRange accumulators);
    Values
    loop(mlir::OpBuilder &builder, unsigned loop, const NestPoint &point, mlir::Value from,
         mlir::Value to, mlir::ValueRange accumulators,
         llvm::function_ref<Values(mlir::OpBuilder &, const NestPoint &, mlir::ValueRange)> inner);

    void pollWhen(mlir::OpBuilder &builder, mlir::Value condition);
    // At the end of an iteration of an outer loop.
    void pollInLoop(mlir::OpBuilder &builder, unsigned loop, mlir::Value iteration);

    Values inBlocks(
        mlir::OpBuilder &builder, mlir::Value from, mlir::Value to, int64_t size,
        mlir::ValueRange accumulators,
        llvm::function_ref<Values(mlir::OpBuilder &, mlir::Value, mlir::Value, mlir::ValueRange)>
            inner);
    void storeReductions(mlir::OpBuilder &builder, const NestPoint &point, mlir::ValueRange values);

    const NestPlan &plan;
    NestContext env;
    np::NestOp op;
    mlir::Location loc;
    NestBody body;
    Values pollMasks;          // per outer loop: it polls where these bits are 1 (null: never)
    bool nonLinear = false;    // some access' base depends on iterators
    bool isPaired = false;     // reads with step 2 are vectorised here
    bool jamsRows = false;     // neighbouring rows read the same: unroll-and-jam
    mlir::Value isNonTemporal; // i1: stores are non-temporal (null: never)
    mlir::Value isPrefetched;  // i1: what is reduced is prefetched (null: never)
    Values results;            // parts of the nest's results
};

} // namespace shapecast
