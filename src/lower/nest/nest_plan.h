// How one np.nest becomes loops: their order and sizes, and every access function as an affine form
// over them.
#pragma once

#include "lower/kit/handles.h"

namespace shapecast {

struct NestLoop {
    np::DimAttr size;
    bool reduced;
    bool any; // may run in any order, and be collapsed with an adjacent loop
    llvm::SmallVector<np::DimAttr, 2>
        iterators; // the nest's iterators (symbols) that this loop runs through
};

struct NestAccess {
    unsigned pointer; // index into NestPlan::pointers
    DType dtype;
    np::DimAttr base; // what is left of the offset: symbols, and non-linear uses of iterators
    llvm::SmallVector<np::DimAttr, 4> steps; // per loop: elements from one iteration to the next
    // Of an array that np.take reads at computed indices: size and stride per axis. The element at
    // `base` is not read.
    llvm::SmallVector<std::pair<np::DimAttr, np::DimAttr>, 0> gatherAxes;
};

enum class NestForm {
    Plain,                // parallel loops around reduction loops, the accumulators in registers
    Pairwise,             // as Plain, the innermost reduction loop as NumPy's summation tree
    MultipleAccumulators, // as Plain, the innermost reduction loop with many accumulators, combined
                          // in any order (min, max, any, all: LLVM's vectorised loops leave a
                          // scalar remainder)
    ArgReduction, // as Plain, the index of the innermost loop's minimum or maximum, by blocks
    Rows, // reduction loops outside the last parallel loop, the accumulators in the output's row
};

struct NestPlan {
    np::NestOp op;
    NestForm form = NestForm::Plain;
    llvm::SmallVector<NestLoop, 4> loops; // in the order of emission
    unsigned parallel = 0; // so many of them come before the reductions (Rows: one comes after)
    llvm::SmallVector<NestAccess, 8> reads, writes;
    llvm::SmallVector<mlir::Value, 8> pointers; // distinct ones
    llvm::SmallVector<bool, 8> noalias;         // per pointer: nothing else in the nest overlaps it
    llvm::SmallVector<bool, 8> written;         // per pointer
    llvm::DenseMap<mlir::Attribute, np::DimAttr>
        indexValue;     // per iterator: its value in the user's order
    bool small = false; // few iterations: emit in place, without a function
    // What is known of a sum's length. Leaf: no longer than a leaf of the summation tree; negative
    // gather indices count as out of bounds then (NestBody::IndexMode::NonNegative).
    enum class Length { Unknown, Leaf, UsuallyLonger } length = Length::Unknown;
    std::optional<unsigned> shared;  // the loop whose iterations several threads may share
    llvm::StringRef notSharedReason; // why there is none
    bool mayExceedCaches = false;    // non-temporal stores or prefetches: non_temporal.h
};

// The handles of the nest's operands are looked up in `handles`. With `collapses`, adjacent loops
// are collapsed where possible.
NestPlan planNest(np::NestOp op, llvm::function_ref<const Handle &(mlir::Value)> handles,
                  bool collapses = true);
// Steps with which elements are read by vector loads: loadLanes().
inline bool isVectorStep(np::DimAttr step) {
    return step.isConst(1) || step.isConst(-1) || step.isConst(2);
}
// Whether something is reduced. It may be a single element: then there is no loop over reduced
// axes.
inline bool hasReduction(const NestPlan &plan) {
    np::NestOp op = plan.op;
    return llvm::any_of(op.getCombine().getAsValueRange<mlir::StringAttr>(),
                        [](llvm::StringRef how) { return !how.empty(); });
}
// The minimum number of iterations of the shared loop for a thread.
int64_t minIterationsPerThread(const NestPlan &plan);
// Accumulators of a leaf of the summation tree; sizes of halves are multiples of it.
unsigned summationLanes(const NestPlan &plan);
// The longest run of elements that the tree does not halve.
int64_t longestLeaf(const NestPlan &plan);
// The cost of an operation of a nest's body, relative to a simple one's 1.
int64_t costOf(mlir::Operation &inBody);
// The nest's time in sixteenths of a nanosecond, if its loops are long: an estimate.
np::DimAttr planWork(const NestPlan &plan);
// Every symbol that code for the plan uses, iterators excluded, in order of first use.
llvm::SmallVector<np::DimAttr> planSymbols(const NestPlan &plan);
inline np::DimAttr iteratorSymbol(mlir::MLIRContext *ctx, unsigned k) {
    return np::dimSymbol(ctx, ("d" + llvm::Twine(k)).str());
}

} // namespace shapecast
