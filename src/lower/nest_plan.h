// How one np.nest becomes loops: their order and sizes, and every access as a linear form over
// them.
#pragma once

#include "lower/handles.h"

namespace shapecast {

struct NestLoop {
    np::DimAttr size;
    bool reduced;
    bool any; // may run in any order, and be collapsed with a neighbour
    llvm::SmallVector<np::DimAttr, 2>
        iterators; // the nest's iterators (symbols) that this loop runs through
};

struct NestAccess {
    unsigned pointer; // index into NestPlan::pointers
    DType dtype;
    np::DimAttr base; // what is left of the offset: symbols, and non-linear uses of iterators
    llvm::SmallVector<np::DimAttr, 4> steps; // per loop: elements from one iteration to the next
    // Of what np.take reads: per axis its size and stride. The element at `base` is not read.
    llvm::SmallVector<std::pair<np::DimAttr, np::DimAttr>, 0> anywhere;
};

enum class NestForm {
    Plain,    // parallel loops around reduction loops, the accumulators in registers
    Pairwise, // as Plain, the innermost reduction loop as NumPy's summation tree
    Lanes, // as Plain, the innermost reduction loop in many running values at once, order left open
           // (extremes and truths: LLVM's vectors leave a scalar rest)
    Position, // as Plain, the place of the innermost loop's extreme by blocks
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
    // What is known of a sum's length. A leaf is no longer than one of the summation tree, and
    // places that it asks for and that are negative count as outside.
    enum class Length { Any, Leaf, MostlyMore } length = Length::Any;
    std::optional<unsigned> shared; // the loop whose iterations several threads may share
    llvm::StringRef alone;          // why there is none
    bool streams = false;           // stores may go past the caches: streams.h
};

// The handles of the nest's operands are looked up in `handles`. With `collapses` neighbouring axes
// are one loop where they may be.
NestPlan planNest(np::NestOp op, llvm::function_ref<const Handle &(mlir::Value)> handles,
                  bool collapses = true);
// Elements so far apart are read as vectors: loadLanes().
inline bool isVectorStep(np::DimAttr step) {
    return step.isConst(1) || step.isConst(-1) || step.isConst(2);
}
// Something is combined, if only one element with nothing: then there is no loop over reduced axes.
inline bool combines(const NestPlan &plan) {
    np::NestOp op = plan.op;
    return llvm::any_of(op.getCombine().getAsValueRange<mlir::StringAttr>(),
                        [](llvm::StringRef how) { return !how.empty(); });
}
// So many iterations of the shared loop are worth a thread.
int64_t leastPart(const NestPlan &plan);
// Running sums of a leaf of the summation tree; sizes of halves are multiples of it.
unsigned summationLanes(const NestPlan &plan);
// The longest run of elements that the tree does not halve.
int64_t longestLeaf(const NestPlan &plan);
// What one operation of a nest's body costs beside a simple one's 1.
int64_t costOf(mlir::Operation &inBody);
// What the nest does, in sixteenths of a nanosecond, were its loops long: an estimate.
np::DimAttr planWork(const NestPlan &plan);
// Every symbol that code for the plan needs, iterators excluded, in order of first use.
llvm::SmallVector<np::DimAttr> planSymbols(const NestPlan &plan);
inline np::DimAttr iteratorSymbol(mlir::MLIRContext *ctx, unsigned k) {
    return np::dimSymbol(ctx, ("d" + llvm::Twine(k)).str());
}

} // namespace shapecast
