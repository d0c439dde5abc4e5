// Data dependence analysis: whether two accesses of one nest, one of them a write, touch the same
// element, and in which iterations: a direction per iterator, as in a direction vector. The tests
// are per subscript: ZIV, and strong SIV (Goff, Kennedy and Tseng, "Practical dependence testing",
// 1991).
//
// Assumes: access functions (maps) as np-nests makes them; `at` is the nest.
// Promises: Disjoint and Ordered are proofs; Unknown is everything else.
#pragma once

#include "passes/analysis/points_to.h"

namespace shapecast {

struct Access {
    mlir::Value handle, root;
    llvm::SmallVector<np::DimAttr> index; // the subscripts, per dimension of the root, in iterators
};
Access accessOf(mlir::Value handle, mlir::ArrayAttr map, const PointsTo &pointsTo);
llvm::SmallVector<Access> readsOf(np::NestOp nest, const PointsTo &pointsTo);
llvm::SmallVector<Access> writesOf(np::NestOp nest, const PointsTo &pointsTo);

struct Dependence {
    enum Kind { Disjoint, Ordered, Unknown } kind = Unknown;
    // Ordered: an element that the write stores is accessed by `other` in the same iteration (0)
    // or, per iterator, in an earlier (+1: up) or later (-1: down) one, where iterators ascend. In
    // an order so directed `other` accesses old contents: an anti-dependence.
    llvm::SmallVector<int> direction;
    // Both access the same element in every iteration, and no two iterations the same one.
    bool identical = false;
    // No loop-carried dependence: Disjoint, or Ordered with all directions 0.
    bool isLoopIndependent() const;
};
Dependence dependenceOf(const Access &write, const Access &other, llvm::ArrayRef<np::DimAttr> space,
                        const PointsTo &pointsTo, mlir::Operation *at);

} // namespace shapecast
