// Indexing, mutation and methods of dynamic lists.
#pragma once

#include "ops/builder/dynamic_list.h"

namespace shapecast {

Val listItem(TypedBuilder &e, const Val &list, llvm::ArrayRef<Val> keys); // list[key]
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
