// Arguments of the entry that are in memory: strings, lists, dicts and sets of the caller's.
#pragma once

#include "ops/builder/heap.h"

namespace shapecast {

// `object`: of the type that ir/in_memory.h tells, of the k-th parameter.
Val argumentInMemory(TypedBuilder &e, unsigned k, const Val &object, llvm::StringRef form);

} // namespace shapecast
