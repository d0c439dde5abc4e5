// Lengths and items of iterables.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// A loop over so many constant characters is unrolled.
constexpr size_t fewCharacters = 8;

// How many items it gives; none where that is not known, not even at run time.
std::optional<np::DimAttr> lengthOf(Inference &in, const Val &iterable);
std::optional<Dims> lengthsOf(Inference &in, llvm::ArrayRef<Val> iterables);
// Its item at an index known only at run time.
Val itemAt(Inference &in, const Val &iterable, const Val &index);
Val pickItem(Inference &in, const Val &tuple, const Val &index);
Val tupleItemAt(Inference &in, const Val &tuple, const Val &index);
// All items, where they are known at compile time; exhausts an iterator.
std::optional<std::vector<Val>> knownItems(Inference &in, const Val &iterable);
std::optional<std::vector<Val>> unrolledItems(Inference &in, const Val &iterable);
bool isHeapView(const Val &v);
// Before a loop: containers in memory and arrays of Python's become views that know how long they
// were.
Val countedHeaps(Inference &in, const Val &iterable);
// RuntimeError where the container is longer or shorter than it was.
void requireUnchanged(Inference &in, const Val &view);
void exhaust(Inference &in, const Val &iterator);
bool shouldUnroll(Inference &in, const Val &iterable);
Val nextCall(Inference &in, llvm::ArrayRef<Val> operands);
llvm::StringRef kindOf(const Val &iterator);

} // namespace shapecast
