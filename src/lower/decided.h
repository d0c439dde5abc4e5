// Reductions of truths that end where their value is known.
//
// Before: a loop over [from, to) that combines truths by or, by and, or by an extreme of bools, and
// whose elements nobody needs for anything else. After: blocks of it, none of which begins once the
// value is known: NumPy's any() of a mask whose first element is true looks at little more either.
#pragma once

#include "lower/dim_values.h"

namespace shapecast {

struct DecidedShape {
    bool by;       // the truth that no other changes
    int64_t block; // elements between two looks; the last block has up to twice as many
};

// inner(b, from, to, accumulator) is the loop over a part.
llvm::SmallVector<mlir::Value>
untilDecided(mlir::OpBuilder &builder, mlir::Location loc, DimValues &dims, DecidedShape shape,
             mlir::Value from, mlir::Value to, mlir::Value accumulator,
             llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::Value,
                                                               mlir::Value, mlir::ValueRange)>
                 inner);

} // namespace shapecast
