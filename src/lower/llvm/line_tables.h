// Python's lines in machine code, for profilers and debuggers (SHAPECAST_PERF=1).
//
// Before: functions of the LLVM dialect, whose operations have the locations that capture and
// inlining gave them: the function's name around a range of its file, call sites around callees.
// After: each function has a DISubprogram and each operation a line of it; of inlined callees the
// call's line as well, so that a debugger shows them as frames of their own.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace shapecast {

void addLineTables(mlir::ModuleOp module);

} // namespace shapecast
