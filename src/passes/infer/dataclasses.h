// np-infer: functions of Python's `dataclasses` on instances that compiled code makes.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// dataclasses.replace, asdict and astuple of an instance; none for other functions.
std::optional<Val> callOnDataclass(Inference &in, llvm::StringRef name,
                                   llvm::ArrayRef<Val> operands,
                                   llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);

} // namespace shapecast
