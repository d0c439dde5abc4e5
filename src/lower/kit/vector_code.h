// Vectorisation of straight-line scalar code: each lane computes an instance of it.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"

#include <functional>

namespace shapecast {

// Whether each operation of the block has a vector form. Loads become gathers, from arrays that are
// defined outside.
bool isLaneCode(mlir::Block &code);

// A vector with the same scalar in all lanes.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar,
                  mlir::VectorType type);

// Emits such a block for `lanes` lanes. `map` has the vectors of the block's arguments; other
// values from outside are the same in all lanes (splats). Returns the mapping of scalars to
// vectors.
std::function<mlir::Value(mlir::Value)> emitLanes(mlir::OpBuilder &builder, mlir::Location loc,
                                                  mlir::Block &code, unsigned lanes,
                                                  mlir::IRMapping &map);

} // namespace shapecast
