// Dynamic lists: lists whose length is known only at run time, because they grew in a loop or
// differ at a join.
//
// The representation is a struct of arrays with a length and a capacity. An item is carried as the
// components of its Slot; each component has a column, an array whose first axis is the capacity. A
// mutation stores to the columns, or reallocates them, and updates the list's cell: so loops and
// branches carry lists as they carry arrays, and the lifetimes of the buffers are those of arrays.
//
// All items have one Slot; where they have none in common it is UnsupportedError. Arrays are copied
// in and out, and np.snapshot makes sure that no program can observe the copy; a list, dict or
// record in an item is copied too, and must not be mutated from then on.
#pragma once

#include "ops/builder/slot.h"

namespace shapecast {

// Whether the two join as a dynamic list: they are lists, and one is dynamic or their lengths
// differ.
bool joinsAsDynamicList(const TypedBuilder &e, const Slot &slot, const Val &v);
// The contents of these cells are copied: mutations, which the copy would not see, are not
// supported from now on.
void markCellsCopied(TypedBuilder &e, llvm::ArrayRef<unsigned> cells);
Slot joinDynamicList(TypedBuilder &e, const Slot &slot, const Val &v);
void eraseCapacity(Slot &column);                        // makes its first dim dynamic
void addCapacityFacts(TypedBuilder &e, const Val &list); // 0 <= length <= capacity
// The list, dynamic or not, as a dynamic list with items of this Slot.
Val dynamicListAs(TypedBuilder &e, const Slot &element, const Val &list);

// A non-empty list of known length as a dynamic list.
Val dynamicListFrom(TypedBuilder &e, const Val &list);
// A list of the Python floats (or ints) in an array, which nothing else aliases.
Val dynamicListOf(TypedBuilder &e, const Val &column, bool floats);
// For comprehensions: the list, which nothing else aliases, with one more item.
Val appendItem(TypedBuilder &e, Val list, const Val &item);
// [item] * count
Val repeatItem(TypedBuilder &e, const Val &item, np::DimAttr count);
Val dynamicListItem(TypedBuilder &e, const Val &list, np::DimAttr at); // within bounds
// A loop over 0, 1, ... count - 1.
void forEachIndex(TypedBuilder &e, np::DimAttr count, llvm::function_ref<void(np::DimAttr)> emit);
Val concatLists(TypedBuilder &e, const Val &a, const Val &b);       // a + b
Val dynamicListCopy(TypedBuilder &e, const Val &list, bool asList); // list(list), tuple(list)
// np.array(list): always a fresh array.
Val arrayOfDynamicList(TypedBuilder &e, const Val &list);
// For its conversion to a Python list at run time: a format for shapecast._objects.listed, and the
// length and columns.
struct DynamicListParts {
    std::string words;
    std::vector<Val> columns; // the length first
    llvm::StringRef elements; // as #np.result_call says it
};
DynamicListParts dynamicListParts(TypedBuilder &e, const Val &list);

//===-- The representation, for list_items.cpp

np::DimAttr listLength(const Val &list);
llvm::ArrayRef<Val> columnsOf(const Val &list);
DType columnDtype(mlir::Type component);
Val emptyList(TypedBuilder &e, const Slot &element, bool list, np::DimAttr capacity);
// Rows first, first + 1, ... of a column.
Val rows(TypedBuilder &e, const Val &column, np::DimAttr first, np::DimAttr count);
// The rows of a column that are in use.
Val usedRows(TypedBuilder &e, const Val &list, size_t column);
void storeListItem(TypedBuilder &e, const Val &list, np::DimAttr at, const Val &item);
Val withLength(TypedBuilder &e, Val list, np::DimAttr length);
// With capacity for `more` items; reallocated to twice the capacity where there is none.
Val reserveItems(TypedBuilder &e, Val list, np::DimAttr more);
// The list with a Slot that holds its items and this one.
Val widenedFor(TypedBuilder &e, const Val &list, const Val &item);
// The first list, which nothing else aliases, with the items of the second appended.
Val extended(TypedBuilder &e, Val list, const Val &more);

} // namespace shapecast
