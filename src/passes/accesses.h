// How two accesses of one nest relate, when one of them writes.
//
// Assumes: maps as np-nests makes them; `at` is the nest.
// Promises: Disjoint and Ordered are proofs; Unknown is everything else.
#pragma once

#include "passes/points_to.h"

namespace shapecast {

struct Access {
    mlir::Value handle, root;
    llvm::SmallVector<np::DimAttr> index; // per dimension of the root, in iterators
};
Access accessOf(mlir::Value handle, mlir::ArrayAttr map, const PointsTo &pointsTo);
llvm::SmallVector<Access> readsOf(np::NestOp nest, const PointsTo &pointsTo);
llvm::SmallVector<Access> writesOf(np::NestOp nest, const PointsTo &pointsTo);

struct Relation {
    enum Kind { Disjoint, Ordered, Unknown } kind = Unknown;
    // Ordered: an element that the write stores is accessed by `other` in the same iteration or,
    // per iterator, in an earlier (+1: up) or later (-1: down) one, as seen along ascending
    // iterators; run so, `other` sees old contents.
    llvm::SmallVector<int> direction;
    bool identical =
        false; // both access the same element in every iteration, and each iteration another
    bool sameIteration() const; // Disjoint, or Ordered without any direction
};
Relation relate(const Access &write, const Access &other, llvm::ArrayRef<np::DimAttr> space,
                const PointsTo &pointsTo, mlir::Operation *at);

} // namespace shapecast
