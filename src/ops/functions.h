// The lists of functions, one per file; findFunction looks through them all.
#pragma once

#include "ops/typed.h"

namespace shapecast {

llvm::ArrayRef<Function>
creationFunctions(); // functions_creation.cpp: zeros, arange, array, copy ...
llvm::ArrayRef<Function> reduceFunctions(); // functions_reduce.cpp: sum, mean, max, any ...
llvm::ArrayRef<Function>
shapeFunctions(); // functions_shape.cpp: reshape, transpose, where, matmul ...
llvm::ArrayRef<Function> pythonFunctions(); // functions_python.cpp: len, abs, min, int ...

} // namespace shapecast
