// Rematerialises a subarray of an element-wise expression: the same expression over subarrays of
// its operands.
//
// Assumes: the IR of np-promote; the value dominates `insertionPoint`.
// Promises: the new operations are before `insertionPoint` and compute, element by element, what
// the value's own do. Null where that is not possible: an operand is no element-wise expression, an
// array that it reads is clobbered before `insertionPoint`, or `insertionPoint` is in a loop that
// does not contain the read. The operations created until then are dead.
#pragma once

#include "passes/analysis/points_to.h"

namespace shapecast {

// A subarray as offsets, steps and axes of its base, as of np.view.
struct Subarray {
    llvm::SmallVector<np::DimAttr> offsets, steps; // per dimension of the base
    llvm::SmallVector<int64_t> axes;               // per dimension of the result, -1: a new one
    llvm::SmallVector<np::DimAttr> dims;           // of the result
};

Subarray subarrayOf(const Window &window, np::ArrayType type);

class SubarrayBuilder {
public:
    SubarrayBuilder(mlir::Operation *insertionPoint, const PointsTo &pointsTo)
        : insertionPoint(insertionPoint), pointsTo(pointsTo), builder(insertionPoint) {}
    virtual ~SubarrayBuilder() = default;

    mlir::Value subarray(mlir::Value value, const Subarray &part);

protected:
    // Overrides how the subarray of a value is made; none: from those of its operands.
    virtual std::optional<mlir::Value> replacementFor(mlir::Value, const Subarray &) {
        return std::nullopt;
    }
    mlir::Value readOf(mlir::Value array, const Subarray &part, mlir::Location loc);
    bool reaches(np::ReadOp read) const; // no clobber before `insertionPoint`

    mlir::Operation *insertionPoint;
    const PointsTo &pointsTo;
    mlir::OpBuilder builder;

private:
    mlir::Value make(mlir::Value value, const Subarray &part);
    mlir::Value ofBroadcast(np::BroadcastOp op, const Subarray &part);

    // A value that is used twice is built once per subarray.
    llvm::SmallVector<std::pair<Subarray, llvm::DenseMap<mlir::Value, mlir::Value>>, 2> memo;
};

} // namespace shapecast
