// Lengths and items of iterables.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

std::optional<np::DimAttr> lengthOf(Inference &in, const Val &iterable);
std::optional<Dims> lengthsOf(Inference &in, llvm::ArrayRef<Val> iterables);
Val itemAt(Inference &in, const Val &iterable, const Val &index);
Val pickItem(Inference &in, const Val &tuple, const Val &index);
Val tupleItemAt(Inference &in, const Val &tuple, const Val &index);
// exhausts an iterator
std::optional<std::vector<Val>> knownItems(Inference &in, const Val &iterable);
std::optional<std::vector<Val>> unrolledItems(Inference &in, const Val &iterable);
void exhaust(Inference &in, const Val &iterator);
bool shouldUnroll(Inference &in, const Val &iterable);
Val nextCall(Inference &in, llvm::ArrayRef<Val> operands);
llvm::StringRef kindOf(const Val &iterator);

} // namespace shapecast
