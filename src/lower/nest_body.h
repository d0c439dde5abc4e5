// The body of a nest at one point of its index space, or at several neighbouring points at once.
#pragma once

#include "lower/nest_emit.h"

#include "mlir/IR/IRMapping.h"

#include <functional>

namespace shapecast {

// What the body is given at a point: the offset (elements) of each access, reads then writes, and
// the iterators' values.
struct NestPoint {
    llvm::SmallVector<mlir::Value, 8> offsets;
    llvm::DenseMap<mlir::Attribute, mlir::Value> iterators;
};

class NestBody {
public:
    NestBody(const NestPlan &plan, NestPlace place) : plan(plan), place(place), op(plan.op) {}
    ~NestBody(); // removes the template
    NestBody(const NestBody &) = delete;
    NestBody &operator=(const NestBody &) = delete;

    // Loads, computes, stores the "" yields and returns the others combined with `accumulators`
    // (flat parts).
    llvm::SmallVector<mlir::Value> at(mlir::OpBuilder &builder, const NestPoint &point,
                                      mlir::ValueRange accumulators);
    // The same for `lanes` neighbours along `loop`, whose accumulators are vectors (one part each).
    llvm::SmallVector<mlir::Value> atLanes(mlir::OpBuilder &builder, const NestPoint &point,
                                           unsigned loop, unsigned lanes,
                                           mlir::ValueRange accumulators);
    // What is stored at `lanes` points, of vectors of what is read there: after canVectorise, where
    // nothing is reduced and the body asks for no index.
    llvm::SmallVector<mlir::Value> valuesOfLanes(mlir::OpBuilder &builder, unsigned lanes,
                                                 mlir::ValueRange reads);
    // Such vectors to where the writes are at this point and its neighbours in memory.
    void storeNeighbours(mlir::OpBuilder &builder, const NestPoint &point,
                         mlir::ValueRange vectors);
    // Vectors of accumulators combined lane by lane, after canVectorise.
    llvm::SmallVector<mlir::Value> combineLanes(mlir::OpBuilder &builder, unsigned lanes,
                                                mlir::ValueRange a, mlir::ValueRange b);
    bool canVectorise(mlir::OpBuilder &builder); // atLanes may be asked for

    // Of a nest that checks its places (np-gathers): is one of this point below 0 or outside?
    bool asksForPlaces();
    mlir::Value isElsewhere(mlir::OpBuilder &builder, const NestPoint &point);
    // Places of nests that check them, in code that is emitted from now on.
    enum class Places {
        FromBothEnds, // negative ones count from the end
        FromStart,    // negative ones are outside too: what is computed is of no use then
        Inside,       // all are known to be from 0 on and inside: no checks
    } places = Places::FromBothEnds;
    bool pastCaches = false; // atLanes stores whole aligned lines, which nobody needs soon

    llvm::SmallVector<mlir::Value> identities(mlir::OpBuilder &builder);
    llvm::SmallVector<mlir::Value> combine(mlir::OpBuilder &builder, mlir::ValueRange a,
                                           mlir::ValueRange b);
    llvm::SmallVector<mlir::Type> accumulatorTypes();

    // The yields that are reductions: position, combine, dtype.
    struct Reduction {
        unsigned yield;
        llvm::StringRef combine;
        DType dtype;
        mlir::Type type;
    };
    llvm::ArrayRef<Reduction> reductions();
    bool isIdempotent(); // an element may be combined twice

    // After canVectorise, of one such reduction: a bit (of at least 64) for each of so many
    // neighbours along `loop` that equals `best`.
    mlir::Value hits(mlir::OpBuilder &builder, const NestPoint &point, unsigned loop,
                     unsigned lanes, mlir::Value best);

private:
    llvm::SmallVector<Scalar> compute(mlir::OpBuilder &builder, llvm::ArrayRef<Scalar> reads,
                                      llvm::function_ref<mlir::Value(np::DimAttr)> iterator,
                                      llvm::ArrayRef<mlir::Value> offsets = {});
    Scalar take(mlir::OpBuilder &builder, np::TakeOp op, llvm::ArrayRef<mlir::Value> offsets);
    llvm::SmallVector<Scalar> readsAt(mlir::OpBuilder &builder, const NestPoint &point);
    mlir::Value indexValue(mlir::OpBuilder &builder, np::DimAttr symbol);
    unsigned storeLanes(mlir::OpBuilder &builder, const NestPoint &point, unsigned loop,
                        unsigned lanes, llvm::function_ref<mlir::Value(mlir::Value)> mapped);
    void fillTemplate(mlir::OpBuilder &outer);

    const NestPlan &plan;
    NestPlace place;
    np::NestOp op;
    std::optional<llvm::SmallVector<Reduction>> reductionList;
    mlir::Value isOutside; // one of the point's places, counted from the start

    // The body as straight-line scalar code in a block of its own (for atLanes): arguments are the
    // reads' parts, then the indices, then the accumulators; `yielded` are the stores' values, then
    // the new accumulators. The block hangs in the function being emitted, since emitters declare
    // runtime functions in the module around it.
    mlir::Operation *holder = nullptr;
    mlir::Block *scalarCode = nullptr;
    llvm::SmallVector<np::DimAttr> scalarIndices;
    llvm::SmallVector<mlir::Value> yielded;
    // The same for `combine` alone: two accumulators, and what they give.
    mlir::Block *combineCode = nullptr;
    llvm::SmallVector<mlir::Value> combined;
};

// Vectors of neighbours in memory; where the mask is not null, of its lanes, zeros in the others.
mlir::Value loadVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address,
                       DType dtype, unsigned lanes, mlir::Value mask = {});
void storeVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector,
                 mlir::Value address, DType dtype, mlir::Value mask = {}); // not of truths
// Of a line that is not to be kept in the caches.
void storeLine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector,
               mlir::Value address);

} // namespace shapecast
