// sum() and the like over iterables.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

Val sumCall(Inference &in, bool sum, llvm::ArrayRef<Val> operands,
            llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);

} // namespace shapecast
