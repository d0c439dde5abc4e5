// Reshapes that may be a view or a copy, where nobody can tell which: a part of np-simplify.
//
// A np.reshape_any whose result is only read, and whose base nobody writes before the last of these
// reads, is a copy made by a nest: its layout is known at compile time, so that what reads it
// vectorises.
#pragma once

#include "ir/np.h"

namespace shapecast {

void settleReshapes(np::FuncOp func);

} // namespace shapecast
