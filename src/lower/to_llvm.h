// np-llvm: func, cf, scf, arith and math become the LLVM dialect.
#pragma once

#include "mlir/Pass/Pass.h"
#include <memory>

// Before: what np-loops leaves; no memrefs, no index values.
// After: only the LLVM dialect. Private functions have internal linkage; noinline and the
// parameters' llvm.noalias stay.
