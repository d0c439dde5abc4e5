// np-reshapes: reshapes that may be a view or a copy, where the difference is not observable.
//
// A np.reshape_any whose result is only read, and whose base is not written to before the last of
// these reads, becomes a copy made by a loop nest: its layout is known at compile time, so that its
// readers vectorise.
#pragma once

#include "ir/np.h"

namespace shapecast {

void chooseReshapeCopies(np::FuncOp func);

} // namespace shapecast
