// Instances of classes in Python in memory: containers (heap.h) with one entry, their attributes.
//
// Which attributes there are, and of what kinds, is a fact of the allocation site, as the entries
// of lists are. A Slot of such an instance names its site only: so a class may refer to itself.
#pragma once

#include "ops/builder/heap_sites.h"

namespace shapecast {

// A new instance, with the attributes that the record `v` has.
Val heapObject(TypedBuilder &e, const HeapSites::Site &site, const Val &v);
bool hasHeapAttribute(TypedBuilder &e, const Val &object, llvm::StringRef name);
Val heapAttribute(TypedBuilder &e, const Val &object, llvm::StringRef name);
void setHeapAttribute(TypedBuilder &e, const Val &object, llvm::StringRef name, const Val &value);
// Whether they are one object.
Val isSameHeap(TypedBuilder &e, const Val &a, const Val &b);

} // namespace shapecast
