// Strings in memory (runtime/text.h): of characters known only at run time.
//
// A value of kind Text has the string's handle as its only item. Constants and thunks become one
// where that is needed: where they are indexed or compared, are items or keys of containers in
// memory, or one of several.
#pragma once

#include "ops/builder/text_slots.h"

namespace shapecast {

// A string as one in memory. Python makes what the run time has no function for.
Val heapText(TypedBuilder &e, const Val &text);

Val textLength(TypedBuilder &e, const Val &text);
Val textAt(TypedBuilder &e, const Val &text, const Val &index); // in bounds
Val textConcat(TypedBuilder &e, const Val &a, const Val &b);
Val textRepeat(TypedBuilder &e, const Val &text, const Val &times);
// "eq", "ne", "lt", ...: a bool.
Val textRelation(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &b);
Val textContains(TypedBuilder &e, const Val &text, const Val &part);
// The number of bytes of a constant, and these in words, as the run time takes constants.
llvm::SmallVector<Val> constantWords(TypedBuilder &e, llvm::StringRef text);
// The function sc_text_<name> of the run time, of strings and numbers.
Val textFunction(TypedBuilder &e, llvm::StringRef name, llvm::ArrayRef<Val> operands);

} // namespace shapecast
