// np-reuse: in-place updates. A fresh array reuses the buffer of another at its last use.
//
// Before: the IR after np-nests; the nest that writes X reads Y element by element, and Y is dead
// afterwards. After: it writes Y. One array less is allocated and streamed through the cache.
#pragma once

#include "ir/np.h"

namespace shapecast {

void reuseArrays(np::FuncOp func);

} // namespace shapecast
