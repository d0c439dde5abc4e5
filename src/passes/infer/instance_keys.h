// Instances whose classes define __eq__, and tuples that hold such, as keys of dicts and sets in
// memory: tables find keys by identity, so that python/shapecast/library/object_keys.py looks for
// the one that is equal among those of the same hash.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// hash(v), of a tuple or a frozen dataclass from the hashes of its items.
Val hashOf(Inference &in, const Val &v);
// See TypedBuilder::equalEntry.
std::optional<Val> equalEntry(Inference &in, const Val &container, const Val &key);
// The key that is equal to one that must be there: else a KeyError, which holds it. None for other
// containers and keys.
std::optional<Val> keyOfEntry(Inference &in, const Val &container, const Val &key);
// del d[k], d.pop(k), s.remove(k) of such a key; none for others.
std::optional<Val> removeEntry(Inference &in, np::MethodOp op, llvm::ArrayRef<Val> operands);

} // namespace shapecast
