// Lists, dicts and sets in memory (runtime/containers.h): of any length, with keys known only at
// run time, and held by reference, so that two names, or two containers, may hold one of them.
//
// A value of kind Heap has the container's handle (an array of its words) as its only item; `attr`
// is its form, and `element` how entries are stored: the Slot of a pair of key and value. A list
// has no keys, and a set no values: there the Slot is Unbound.
#pragma once

#include "ops/builder/heap_sites.h"

namespace shapecast {

// A new container as the list or dict `v` of known length: where its place in the source makes one
// in memory. None: it does not.
std::optional<Val> heapAtSite(TypedBuilder &e, const Val &v);
Val newHeap(TypedBuilder &e, const HeapSites::Site &site); // an empty one
Val emptyHeapSet(TypedBuilder &e);
Val emptyHeapList(TypedBuilder &e, mlir::Location at);
// A new one of the same kind.
Val heapLike(TypedBuilder &e, const Val &container);
// The number of items, which are then at the indices below it.
Val heapCompact(TypedBuilder &e, const Val &container);
// At an index below its length; a dict's or set's must be compact.
Val heapKeyAt(TypedBuilder &e, const Val &container, const Val &index);
// Whether a dict's or set's entry at this index was removed since it was compact.
Val isRemovedAt(TypedBuilder &e, const Val &container, const Val &index);
Val heapValueAt(TypedBuilder &e, const Val &container, const Val &index);
Val heapContains(TypedBuilder &e, const Val &container, const Val &item);
Val heapItem(TypedBuilder &e, const Val &container, llvm::ArrayRef<Val> keys);
void setHeapItem(TypedBuilder &e, const Val &container, llvm::ArrayRef<Val> keys, const Val &value);
void deleteHeapItem(TypedBuilder &e, const Val &container, llvm::ArrayRef<Val> keys);
// A method that needs no loop; none for other names.
std::optional<Val> heapMethod(TypedBuilder &e, const Val &container, llvm::StringRef name,
                              llvm::ArrayRef<Val> given);
//===-- Instances of classes in Python: containers with one entry, their attributes
//(heap_objects.cpp)

// A new instance with these attributes; with those that the record `v` has.
Val heapObject(TypedBuilder &e, const HeapSites::Site &site,
               llvm::ArrayRef<std::pair<llvm::StringRef, Val>> attributes);
Val heapObject(TypedBuilder &e, const HeapSites::Site &site, const Val &v);
bool hasHeapAttribute(TypedBuilder &e, const Val &object, llvm::StringRef name); // some instance
Val isAttributeSet(TypedBuilder &e, const Val &object, llvm::StringRef name);    // of this one
// AttributeError where it is not set, unless that is known.
Val heapAttribute(TypedBuilder &e, const Val &object, llvm::StringRef name, bool isSet = false);
void setHeapAttribute(TypedBuilder &e, const Val &object, llvm::StringRef name, const Val &value);
// Whether they are one object.
Val isSameHeap(TypedBuilder &e, const Val &a, const Val &b);

// How Python reads it from memory: see bindings/call/containers.h.
std::string heapFormat(TypedBuilder &e, const Val &container);

} // namespace shapecast
