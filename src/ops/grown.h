// Lists whose length only the run knows: they grew in a loop, or on one of two paths.
//
// Such a list is a length and columns. An item is carried as the values of its Slot; each of these
// has a column, an array whose first axis counts the items and has room behind the last. A change
// stores to the columns, or makes longer ones, and the list's cell holds what it is then: so loops
// and branches carry lists as they carry arrays, and buffers end as those of arrays do.
//
// All items are carried alike; what cannot be is UnsupportedError. Arrays are copied in and out,
// which np.snapshot keeps unseen; a list, dict or record inside is copied too, and cannot be
// changed from then on.
#pragma once

#include "ops/join.h"

namespace shapecast {

// Whether the two join as a list that grows: they are lists, and one has grown or their lengths
// differ.
bool joinsAsGrown(const TypedBuilder &e, const Slot &slot, const Val &v);
// What these hold is copied: nothing would tell the copy of a change, which is refused from now on.
void copyCells(TypedBuilder &e, llvm::ArrayRef<unsigned> cells);
Slot joinGrown(TypedBuilder &e, const Slot &slot, const Val &v);
void anyRoom(Slot &column);                       // its first axis is carried as a number
void learnRoom(TypedBuilder &e, const Val &list); // what is carried has room for its items
// The list, grown or not, with its items carried as `element`.
Val grownAs(TypedBuilder &e, const Slot &element, const Val &list);

// A list of known length, with at least one item, as one that grows.
Val grownFrom(TypedBuilder &e, const Val &list);
// A list of the Python floats (or ints) that a column holds, which is nobody else's.
Val grownOf(TypedBuilder &e, const Val &column, bool floats);
// What a comprehension makes of its list and one more item; nobody else has the list.
Val appended(TypedBuilder &e, Val list, const Val &item);
// item `count` times
Val repeatedItem(TypedBuilder &e, const Val &item, np::DimAttr count);
Val grownItem(TypedBuilder &e, const Val &list, np::DimAttr at);           // within bounds
Val grownItem(TypedBuilder &e, const Val &list, llvm::ArrayRef<Val> keys); // list[key]
void storeGrown(TypedBuilder &e, const Val &list, llvm::ArrayRef<Val> keys, const Val &value);
void removeGrown(TypedBuilder &e, const Val &list, llvm::ArrayRef<Val> keys); // del list[key]
// list.name(...); none for other names. extend() of what is no list or tuple: library/lists.py.
std::optional<Val> grownMethod(TypedBuilder &e, const Val &list, llvm::StringRef name,
                               llvm::ArrayRef<Val> given);
// Its items are numbers of one type, but complex ones, which Python does not order.
bool isOrdered(TypedBuilder &e, const Val &list);
Val joinedLists(TypedBuilder &e, const Val &a, const Val &b); // a + b
Val grownContains(TypedBuilder &e, const Val &list, const Val &item);
Val grownCopy(TypedBuilder &e, const Val &list, bool asList); // list(list), tuple(list)
// np.array(list): always a fresh array.
Val grownArray(TypedBuilder &e, const Val &list);
// For what Python makes of it at run time: words that tell shapecast._objects.listed how, and the
// columns.
std::pair<std::string, std::vector<Val>> grownParts(TypedBuilder &e, const Val &list);

} // namespace shapecast
