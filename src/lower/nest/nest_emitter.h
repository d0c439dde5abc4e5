// The emitter of one nest: nest_emit.cpp has its loops, nest_special_cases.cpp special cases of the
// innermost one, nest_jam.cpp unroll-and-jam of stencils, nest_arg_reduction.cpp argmin and argmax.
#pragma once

#include "lower/nest/early_exit.h"
#include "lower/nest/nest_body.h"
#include "lower/nest/nest_emit.h"
#include "runtime/abi.h"

namespace shapecast {

class NestEmitter {
public:
    using Values = llvm::SmallVector<mlir::Value>;

    NestEmitter(const NestPlan &plan, NestContext env)
        : plan(plan), env(env), op(plan.op), loc(plan.op->getLoc()), body(plan, env) {}

    llvm::SmallVector<Scalar> run(mlir::OpBuilder &builder);

private:
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

    // Long nests poll: sc_poll.
    bool isShort(unsigned loop) const;
    void planPolls(mlir::OpBuilder &builder);
    void pollWhen(mlir::OpBuilder &builder, mlir::Value condition);
    void pollBetween(mlir::OpBuilder &builder, mlir::Value from, mlir::Value to);
    bool isStripMined() const; // a single loop that may be long
    int64_t stripSize();
    Values inStrips(
        mlir::OpBuilder &builder, mlir::ValueRange accumulators,
        llvm::function_ref<Values(mlir::OpBuilder &, mlir::Value, mlir::Value, mlir::ValueRange)>
            inner);

    void parallelLoops(mlir::OpBuilder &builder, unsigned level, const NestPoint &point);
    void parallelLoop(mlir::OpBuilder &builder, unsigned level, const NestPoint &point,
                      mlir::Value from, mlir::Value to);
    bool readsPairs();
    mlir::Value pairedVectors(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                              mlir::Value to);
    bool mayJamRows(); // nest_jam.cpp
    void vectorOfJammedRows(mlir::OpBuilder &builder, const NestPoint &point);
    mlir::Value jamRows(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                        mlir::Value to);
    bool isInAnyOrder();
    bool isCopy(llvm::function_ref<bool(const NestAccess &)> isRead);
    bool isRunCopy();
    bool isTransposedCopy();
    void transposedCopy(mlir::OpBuilder &builder, const NestPoint &point);
    bool isZeroRun();
    void moveRun(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from, mlir::Value to,
                 llvm::function_ref<void(mlir::OpBuilder &)> otherwise);
    Values reductionLoops(mlir::OpBuilder &builder, unsigned level, const NestPoint &point,
                          mlir::ValueRange accumulators);
    Values inBlocks(
        mlir::OpBuilder &builder, mlir::Value from, mlir::Value to, int64_t size,
        mlir::ValueRange accumulators,
        llvm::function_ref<Values(mlir::OpBuilder &, mlir::Value, mlir::Value, mlir::ValueRange)>
            inner);
    Values gatherBlock(mlir::OpBuilder &inside, const NestPoint &point, mlir::Value begin,
                       mlir::Value end, mlir::ValueRange carried);
    Values gatherInBlocks(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                          mlir::Value to, mlir::ValueRange accumulators);
    void storeReductions(mlir::OpBuilder &builder, const NestPoint &point, mlir::ValueRange values);
    void rows(mlir::OpBuilder &builder, const NestPoint &point);
    void shortRow(mlir::OpBuilder &builder, const NestPoint &point, int64_t items);
    void rowLoops(mlir::OpBuilder &builder, unsigned level, const NestPoint &point,
                  mlir::Value from, mlir::Value to);
    bool mayUnrollAndJam();
    bool areRowsContiguous(unsigned level);
    mlir::Value jamPoints(mlir::OpBuilder &builder, unsigned level, const NestPoint &point,
                          mlir::Value from, mlir::Value to);
    void accumulateRow(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                       mlir::Value to, int64_t points, bool isAhead);
    void prefetch(mlir::OpBuilder &builder, mlir::Value isPrefetched, const NestPoint &first,
                  mlir::Value count);
    Values tree(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                mlir::Value count);
    void argReduction(mlir::OpBuilder &builder, const NestPoint &point);
    Values firstExtremes(mlir::OpBuilder &builder, const NestPoint &point);
    mlir::Value firstAbsorbing(mlir::OpBuilder &builder, const NestPoint &point);
    mlir::Value skipVectors(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                            mlir::Value to, mlir::Value best);
    mlir::Value equalBest(mlir::OpBuilder &builder, mlir::ValueRange value, mlir::ValueRange best);
    mlir::Value isAbsorbing(mlir::OpBuilder &builder, mlir::ValueRange best);
    unsigned extremeLanes(bool isVector);
    std::optional<EarlyExitShape> earlyExitShape();
    unsigned countingBits();
    Values count(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from, mlir::Value to,
                 mlir::ValueRange accumulators, unsigned bits);
    Values countRow(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                    mlir::Value to, mlir::ValueRange accumulators, unsigned bits);
    mlir::Value indexIn(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                        mlir::Value to, mlir::ValueRange best);
    mlir::Value vectorIndex(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                            mlir::Value to, mlir::ValueRange best, unsigned lanes);
    mlir::Value scalarIndex(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                            mlir::Value to, mlir::ValueRange best);

    const NestPlan &plan;
    NestContext env;
    np::NestOp op;
    mlir::Location loc;
    NestBody body;
    Values pollMasks;          // per outer loop: it polls where these bits of the index are 1
    bool nonLinear = false;    // some access' base depends on iterators
    bool isPaired = false;     // reads with step 2 are vectorised here
    bool jamsRows = false;     // neighbouring rows read the same: unroll-and-jam
    mlir::Value isNonTemporal; // i1: stores are non-temporal (null: never)
    mlir::Value isPrefetched;  // i1: what is reduced is prefetched (null: never)
    Values results;            // parts of the nest's results
};

} // namespace shapecast
