// NumPy's pairwise summation: the same tree, hence the same bits, for any body and any combine.
#pragma once

#include "lower/dim_values.h"

#include <functional>

namespace shapecast {

struct PairwiseShape {
    unsigned lanes; // running sums of a leaf
    int64_t leaf;   // longest run of elements that is not halved; 0: no run is
    bool vector;    // the lanes as one vector (code.atLanes), else as scalars one after the other
    bool maybeShort = false; // one leaf is worth code of its own
    bool overlap = false; // elements may be combined twice: vectors have no tail, the last overlaps
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
    // Called before and after every leaf of a tree (before: of every block, where no run is halved)
    // with where it begins and ends; may be null.
    std::function<void(mlir::OpBuilder &, mlir::Value from, mlir::Value to)> ahead, pause;
};

// The combination of elements 0 .. n-1. Where runs are halved: emitted in a function of its own (a
// tree has stack slots in the entry block).
PairwiseCode::Values emitPairwise(mlir::OpBuilder &builder, mlir::Location loc,
                                  const PairwiseShape &shape, const PairwiseCode &code,
                                  mlir::Value n, DimValues &dims);

} // namespace shapecast
