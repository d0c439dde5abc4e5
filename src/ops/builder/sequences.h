// Items of tuples and ranges.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// TypeError where the key is no index of a list, tuple, range or string.
void checkSequenceIndex(TypedBuilder &e, const Val &sequence, llvm::ArrayRef<Val> keys);
Val tupleItem(TypedBuilder &e, const Val &base, llvm::ArrayRef<Val> keys);
Val rangeItem(TypedBuilder &e, const Val &range, llvm::ArrayRef<Val> keys);
np::DimAttr rangeSize(TypedBuilder &e, const Val &range);
// An iterator: "zip", "enumerate", "flat" ... over these items.
Val iterator(TypedBuilder &e, llvm::StringRef kind, std::vector<Val> items);
// text[key], of a constant; none where it is no string.
std::optional<Val> textItem(TypedBuilder &e, const Val &text, llvm::ArrayRef<Val> keys);
// np.require with the ValueError of list.index(item).
void requireInList(TypedBuilder &e, llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args,
                   const Val &item);

} // namespace shapecast
