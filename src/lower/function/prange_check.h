// Debug mode of np-loops: whether a `prange` loop really has no loop-carried dependence.
//
// np-parallel has marked the loops in question `checked`; they run in one thread, in order. Inside
// them each access to an array is first passed to the run time (runtime/prange_check.cpp) with the
// iterations of the checked loops around it; it knows which iterations have read and written that
// element. Nests and products pass all their accesses first.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

void beginPrangeCheck(FunctionState &state, np::ForOp loop);
void endPrangeCheck(FunctionState &state, np::ForOp loop);
void noteElement(FunctionState &state, mlir::Location loc, mlir::Value array,
                 llvm::ArrayRef<np::DimAttr> indices, bool isWritten);
void noteNest(FunctionState &state, np::NestOp op);
void noteProduct(FunctionState &state, np::GemmOp op);

} // namespace shapecast
