// Dicts from outside the function, of constants and functions, that are looked up by keys known
// only at run time: made in memory once, where the entry starts.
#pragma once

#include "ops/builder/heap.h"

namespace shapecast {

// The dict in memory, where it is needed for such a key, and may be made. Throws HeapRequest where
// that is new.
std::optional<Val> heapOfConstants(TypedBuilder &e, const Val &dict, const Val &key);
// A Python number as TypedBuilder::literal() takes it; null: it is no constant of 64 bits.
mlir::Attribute constantNumber(TypedBuilder &e, const Val &v);
// At the start of the entry.
void makeHeapConstants(TypedBuilder &e);

} // namespace shapecast
