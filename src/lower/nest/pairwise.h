// NumPy's pairwise summation: the same tree, hence the same bits, for any body and any combine.
#pragma once

#include "lower/kit/dim_values.h"

#include <functional>

namespace shapecast {

struct PairwiseShape {
    unsigned lanes; // accumulators of a leaf
    int64_t leaf;   // the most elements that are not halved; 0: nothing is halved
    bool vector;    // the lanes as one vector (code.atLanes), else as scalars one after the other
    bool mayBeShort = false; // emit code for n <= leaf as well
    bool overlap = false; // elements may be combined twice: the last vector overlaps, no remainder
};

struct PairwiseCode {
    using Values = llvm::SmallVector<mlir::Value>;
    llvm::SmallVector<mlir::Type> types; // of one accumulator's parts
    std::function<Values(mlir::OpBuilder &)> identities;
    std::function<Values(mlir::OpBuilder &, mlir::ValueRange, mlir::ValueRange)> combine;
    // accumulators combined with the element at `index`, or the `lanes` elements from there
    std::function<Values(mlir::OpBuilder &, mlir::Value index, mlir::ValueRange accumulators)> at,
        atLanes;
    // Where the order of the lanes is free: halves of the vector combined as vectors.
    std::function<Values(mlir::OpBuilder &, unsigned lanes, mlir::ValueRange, mlir::ValueRange)>
        combineLanes;
    // Called before and after every leaf of a tree (prefetch: before every block, where nothing is
    // halved) with its bounds; may be null.
    std::function<void(mlir::OpBuilder &, mlir::Value from, mlir::Value to)> prefetch, poll;
};

// The combination of elements 0 .. n-1. A tree has stack slots in the entry block, and so must be
// emitted in a function of its own.
PairwiseCode::Values emitPairwise(mlir::OpBuilder &builder, mlir::Location loc,
                                  const PairwiseShape &shape, const PairwiseCode &code,
                                  mlir::Value n, DimValues &dims);

} // namespace shapecast
