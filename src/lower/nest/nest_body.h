// The body of a nest, emitted for one point of its index space or as vectors for neighbouring
// points.
#pragma once

#include "lower/nest/nest_context.h"

#include "mlir/IR/IRMapping.h"

#include <functional>

namespace shapecast {

// The body's inputs at a point: the offset (elements) of each access, reads then writes, and
// the iterators' values.
struct NestPoint {
    llvm::SmallVector<mlir::Value, 8> offsets;
    llvm::DenseMap<mlir::Attribute, mlir::Value> iterators;
    llvm::SmallDenseMap<unsigned, Scalar> given; // reads that need no load
};

class NestBody {
public:
    NestBody(const NestPlan &plan, NestContext env) : plan(plan), env(env), op(plan.op) {}
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
    // The vectors to store at `lanes` points, from vectors of what is read there: after
    // canVectorise, for bodies without reductions that use no iterator.
    llvm::SmallVector<mlir::Value> valuesOfLanes(mlir::OpBuilder &builder, unsigned lanes,
                                                 mlir::ValueRange reads);
    // Stores such vectors at this point and its neighbours in memory.
    void storeVectors(mlir::OpBuilder &builder, const NestPoint &point, mlir::ValueRange vectors);
    // Vectors of accumulators combined lane by lane, after canVectorise.
    llvm::SmallVector<mlir::Value> combineLanes(mlir::OpBuilder &builder, unsigned lanes,
                                                mlir::ValueRange a, mlir::ValueRange b);
    bool canVectorise(mlir::OpBuilder &builder); // atLanes may be called

    // Of a nest that checks its gather indices (np-gathers): whether one of this point is negative
    // or out of bounds.
    bool checksGatherIndices();
    mlir::Value isOutOfBounds(mlir::OpBuilder &builder, const NestPoint &point);
    // The gather indices of nests that check them, in code that is emitted from now on.
    enum class IndexMode {
        Wrap,        // negative ones count from the end
        NonNegative, // negative ones are out of bounds too: the values computed there are not used
        InBounds,    // all are known to be in [0, size): no checks
    } indexMode = IndexMode::Wrap;
    bool isNonTemporal = false; // atLanes uses non-temporal stores of whole aligned cache lines

    llvm::SmallVector<mlir::Value> identities(mlir::OpBuilder &builder);
    llvm::SmallVector<mlir::Value> combine(mlir::OpBuilder &builder, mlir::ValueRange a,
                                           mlir::ValueRange b);
    llvm::SmallVector<mlir::Type> accumulatorTypes();

    // The yields that are reductions: index, combine, dtype.
    struct Reduction {
        unsigned yield;
        llvm::StringRef combine;
        DType dtype;
        mlir::Type type;
    };
    llvm::ArrayRef<Reduction> reductions();
    bool isIdempotent(); // an element may be combined twice

    // After canVectorise, of one such reduction: a mask (an integer of at least 64 bits) of those
    // of `lanes` neighbours along `loop` that equal `best`.
    mlir::Value hits(mlir::OpBuilder &builder, const NestPoint &point, unsigned loop,
                     unsigned lanes, mlir::Value best);

private:
    llvm::SmallVector<Scalar> compute(mlir::OpBuilder &builder, llvm::ArrayRef<Scalar> reads,
                                      llvm::function_ref<mlir::Value(np::DimAttr)> iterator,
                                      llvm::ArrayRef<mlir::Value> offsets = {});
    Scalar gather(mlir::OpBuilder &builder, np::TakeOp op, llvm::ArrayRef<mlir::Value> offsets);
    llvm::SmallVector<Scalar> readsAt(mlir::OpBuilder &builder, const NestPoint &point);
    mlir::Value indexValue(mlir::OpBuilder &builder, np::DimAttr symbol);
    unsigned storeLanes(mlir::OpBuilder &builder, const NestPoint &point, unsigned loop,
                        unsigned lanes, llvm::function_ref<mlir::Value(mlir::Value)> mapped);
    void fillTemplate(mlir::OpBuilder &outer);

    const NestPlan &plan;
    NestContext env;
    np::NestOp op;
    std::optional<llvm::SmallVector<Reduction>> reductionList;
    mlir::Value isIndexOutside; // i1: a gather index of the point is negative or out of bounds

    // The body as straight-line scalar code in a block of its own (for atLanes): arguments are the
    // reads' parts, then the indices, then the accumulators; `yielded` are the stores' values, then
    // the new accumulators. The block is in the function being emitted, since emitters declare
    // runtime functions in the module around it.
    mlir::Operation *holder = nullptr;
    mlir::Block *scalarCode = nullptr;
    llvm::SmallVector<np::DimAttr> scalarIndices;
    llvm::SmallVector<mlir::Value> yielded;
    // The same for `combine` alone: two accumulators as arguments, and the result.
    mlir::Block *combineCode = nullptr;
    llvm::SmallVector<mlir::Value> combined;
};

// Contiguous vector loads and stores; with a mask, of its lanes only (a load gives zeros in
// others).
mlir::Value loadVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address,
                       DType dtype, unsigned lanes, mlir::Value mask = {});
void storeVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector,
                 mlir::Value address, DType dtype, mlir::Value mask = {}); // not of bools
// A non-temporal store of a whole aligned cache line.
void storeNonTemporal(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector,
                      mlir::Value address);

} // namespace shapecast
