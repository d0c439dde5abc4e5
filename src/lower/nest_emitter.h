// The emitter of one nest: nest_emit.cpp has its loops, nest_runs.cpp runs of the last one that
// have code of their own, nest_rows.cpp rows of stencils, nest_position.cpp places of extremes.
#pragma once

#include "lower/decided.h"
#include "lower/nest_body.h"
#include "lower/nest_emit.h"
#include "runtime/abi.h"

namespace shapecast {

class NestEmitter {
public:
    using Values = llvm::SmallVector<mlir::Value>;

    NestEmitter(const NestPlan &plan, NestPlace place)
        : plan(plan), place(place), op(plan.op), loc(plan.op->getLoc()), body(plan, place) {}

    llvm::SmallVector<Scalar> run(mlir::OpBuilder &builder);

private:
    mlir::Value constant(mlir::OpBuilder &builder, int64_t value) {
        return place.dims.constant(builder, loc, value);
    }
    mlir::Value size(mlir::OpBuilder &builder, unsigned loop) {
        return place.dims.emit(builder, loc, plan.loops[loop].size);
    }
    // The iterations of a loop that are done here: [first, end).
    bool isPart(unsigned loop) const { return place.from && plan.shared == loop; }
    mlir::Value first(mlir::OpBuilder &builder, unsigned loop) {
        return isPart(loop) ? place.from : constant(builder, 0);
    }
    mlir::Value end(mlir::OpBuilder &builder, unsigned loop) {
        return isPart(loop) ? place.to : size(builder, loop);
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

    // Long nests look up now and then: sc_poll.
    bool isShort(unsigned loop) const;
    void planPolls(mlir::OpBuilder &builder);
    void pollWhen(mlir::OpBuilder &builder, mlir::Value condition);
    void pollBetween(mlir::OpBuilder &builder, mlir::Value from, mlir::Value to);
    bool isStretched() const; // one loop, and no bound is known
    int64_t stretch();
    Values stretches(
        mlir::OpBuilder &builder, mlir::ValueRange accumulators,
        llvm::function_ref<Values(mlir::OpBuilder &, mlir::Value, mlir::Value, mlir::ValueRange)>
            inner);

    void parallelLoops(mlir::OpBuilder &builder, unsigned level, const NestPoint &point);
    void parallelLoop(mlir::OpBuilder &builder, unsigned level, const NestPoint &point,
                      mlir::Value from, mlir::Value to);
    bool readsPairs();
    mlir::Value pairedVectors(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                              mlir::Value to);
    bool sharesRows(); // nest_rows.cpp
    void vectorOfRows(mlir::OpBuilder &builder, const NestPoint &point);
    mlir::Value rowsTogether(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
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
    Values blockOfPlaces(mlir::OpBuilder &inside, const NestPoint &point, mlir::Value begin,
                         mlir::Value end, mlir::ValueRange carried);
    Values blocksOfPlaces(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                          mlir::Value to, mlir::ValueRange accumulators);
    void storeReductions(mlir::OpBuilder &builder, const NestPoint &point, mlir::ValueRange values);
    void rows(mlir::OpBuilder &builder, const NestPoint &point);
    void shortRow(mlir::OpBuilder &builder, const NestPoint &point, int64_t items);
    void rowLoops(mlir::OpBuilder &builder, unsigned level, const NestPoint &point,
                  mlir::Value from, mlir::Value to);
    bool takesPointsTogether();
    bool liesInOrder(unsigned level);
    mlir::Value rowsAtOnce(mlir::OpBuilder &builder, unsigned level, const NestPoint &point,
                           mlir::Value from, mlir::Value to);
    void oneRow(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from, mlir::Value to,
                int64_t points, bool isAhead);
    void fetchAhead(mlir::OpBuilder &builder, mlir::Value isFar, const NestPoint &first,
                    mlir::Value count);
    Values tree(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                mlir::Value count);
    void position(mlir::OpBuilder &builder, const NestPoint &point);
    Values firstExtremes(mlir::OpBuilder &builder, const NestPoint &point);
    mlir::Value firstTruth(mlir::OpBuilder &builder, const NestPoint &point);
    mlir::Value skipTruths(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                           mlir::Value to, mlir::Value best);
    mlir::Value equalBest(mlir::OpBuilder &builder, mlir::ValueRange value, mlir::ValueRange best);
    mlir::Value settled(mlir::OpBuilder &builder, mlir::ValueRange best);
    unsigned extremeLanes(bool isVector);
    std::optional<DecidedShape> decided();
    unsigned countingBits();
    Values count(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from, mlir::Value to,
                 mlir::ValueRange accumulators, unsigned bits);
    Values countRow(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                    mlir::Value to, mlir::ValueRange accumulators, unsigned bits);
    mlir::Value placeIn(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                        mlir::Value to, mlir::ValueRange best);
    mlir::Value vectorPlace(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                            mlir::Value to, mlir::ValueRange best, unsigned lanes);
    mlir::Value scalarPlace(mlir::OpBuilder &builder, const NestPoint &point, mlir::Value from,
                            mlir::Value to, mlir::ValueRange best);

    const NestPlan &plan;
    NestPlace place;
    np::NestOp op;
    mlir::Location loc;
    NestBody body;
    Values pollMasks;       // per loop around others: it polls where these bits of the index are 1
    bool nonLinear = false; // some access' base depends on iterators
    bool isPaired = false;  // vectors of every second element are made here
    bool isShared = false;  // neighbouring rows read the same: some of them at a time
    mlir::Value isLong;     // what is written goes past the caches (null: never)
    mlir::Value isFar;      // what is reduced is fetched ahead (null: never)
    Values results;         // parts of the nest's results
};

} // namespace shapecast
