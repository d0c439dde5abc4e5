// The re-check mode of np-loops: what earlier passes proved of memory accesses is checked at run
// time.
//
// On when the module has the attribute np.recheck (SHAPECAST_RECHECK=1). Before each nest its
// points are visited in the order of its iterators and every address is passed to the run time
// (runtime/recheck.cpp), which checks whether indices stay in their arrays and addresses in their
// buffers, whether operands of different groups and no-alias pointers share nothing, and whether
// the order lets every read come before the store to the same element. Single elements are checked
// where they are accessed, relations that np-checks proved where np.require was.
#pragma once

#include "lower/kit/function_state.h"
#include "lower/nest/nest_plan.h"

namespace shapecast {

// A table in the frame: the extent of each array argument, which an owner token names by number.
void tabulateExtents(FunctionState &state);
void recheckElement(FunctionState &state, mlir::Location loc, mlir::Value array,
                    llvm::ArrayRef<np::DimAttr> indices);
void recheckNest(FunctionState &state, np::NestOp op, const NestPlan &plan);

} // namespace shapecast
