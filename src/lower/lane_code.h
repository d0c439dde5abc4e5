// Straight-line scalar code, computed in several lanes at once.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"

#include <functional>

namespace shapecast {

// Whether each operation of the block has a form for vectors. Loads are of elements of arrays from
// outside.
bool isLaneCode(mlir::Block &code);

// A vector with the same scalar in all lanes.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar,
                  mlir::VectorType type);

// The code of such a block for `lanes` lanes. `map` gives the vectors that stand for the block's
// arguments; other values from outside are the same in all lanes. The result gives the vector of a
// scalar.
std::function<mlir::Value(mlir::Value)> emitLanes(mlir::OpBuilder &builder, mlir::Location loc,
                                                  mlir::Block &code, unsigned lanes,
                                                  mlir::IRMapping &map);

} // namespace shapecast
