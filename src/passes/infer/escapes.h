// Functions with late-bound variables (assigned after the function was made) must not be kept where
// a later call would see another value in Python.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

using Changes = llvm::SmallVector<unsigned>; // modification counts of lists and dicts
bool isLateBound(const Val &function);
Changes changesNow(const Inference &in);
// Refuses functions with late-bound variables in these values, and in lists and dicts that were
// changed since `before`.
void refuseEscaping(Inference &in, llvm::ArrayRef<Val> values, const Changes &before);
void refuseEscaping(Inference &in, const Val &value);

} // namespace shapecast
