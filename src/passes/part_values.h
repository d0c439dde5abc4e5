// A part of an expression is the same expression over parts of its operands.
//
// Assumes: the IR of np-promote; the part is asked for at `at`, which the value reaches.
// Promises: the operations that are made stand in front of `at` and compute, element by element,
// what the value's own do. Null where a part cannot be had: an operand is no expression, an array
// that it reads is written on the way to `at`, or `at` stands in a loop that the read does not.
// What was made until then has no use.
#pragma once

#include "passes/points_to.h"

namespace shapecast {

// What a view does to its base, over the base's dims.
struct Part {
    llvm::SmallVector<np::DimAttr> offsets, steps; // per dimension of the base
    llvm::SmallVector<int64_t> axes;               // per dimension of the result, -1: a new one
    llvm::SmallVector<np::DimAttr> dims;           // of the result
};

Part partOf(const Window &window, np::ArrayType type);

class PartBuilder {
public:
    PartBuilder(mlir::Operation *at, const PointsTo &pointsTo)
        : at(at), pointsTo(pointsTo), builder(at) {}
    virtual ~PartBuilder() = default;

    mlir::Value part(mlir::Value value, const Part &part);

protected:
    // What stands for the part instead, where the value is not to be taken apart.
    virtual std::optional<mlir::Value> instead(mlir::Value, const Part &) { return std::nullopt; }
    mlir::Value readOf(mlir::Value array, const Part &part, mlir::Location loc);
    bool reaches(np::ReadOp read) const; // what it reads is still there at `at`

    mlir::Operation *at;
    const PointsTo &pointsTo;
    mlir::OpBuilder builder;

private:
    mlir::Value make(mlir::Value value, const Part &part);
    mlir::Value ofBroadcast(np::BroadcastOp op, const Part &part);

    // A value that is used twice has one part.
    llvm::SmallVector<std::pair<Part, llvm::DenseMap<mlir::Value, mlir::Value>>, 2> made;
};

} // namespace shapecast
