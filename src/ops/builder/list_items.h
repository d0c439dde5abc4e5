// Indexing, mutation and methods of dynamic lists.
#pragma once

#include "ops/builder/dynamic_list.h"

namespace shapecast {

Val listItem(TypedBuilder &e, const Val &list, llvm::ArrayRef<Val> keys); // list[key]
// tuple[start:stop], of which one is known only at run time; none for other keys. A tuple of known
// length where that difference is, and both are known to be in bounds.
std::optional<Val> sliceAtRunTime(TypedBuilder &e, const Val &tuple, llvm::ArrayRef<Val> keys);
void storeDynamicListItem(TypedBuilder &e, const Val &list, llvm::ArrayRef<Val> keys,
                          const Val &value);
// del list[key]
void deleteDynamicListItem(TypedBuilder &e, const Val &list, llvm::ArrayRef<Val> keys);
// list.name(...); none for other names. extend() by other iterables: library/lists.py.
std::optional<Val> dynamicListMethod(TypedBuilder &e, const Val &list, llvm::StringRef name,
                                     llvm::ArrayRef<Val> given);
// Whether its items are numbers of one type, not complex, which Python does not order.
bool hasOrderedItems(TypedBuilder &e, const Val &list);
// UnsupportedError for a slice that is stored to; lists in memory have them.
[[noreturn]] void refuseSlice(TypedBuilder &e, const Val &list);
Val dynamicListContains(TypedBuilder &e, const Val &list, const Val &item);

} // namespace shapecast
