// The items of an iterable whose length is known at compile time.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// The items that iterating over it gives, if the length is known at compile time.
std::optional<std::vector<Val>> itemsOf(TypedBuilder &e, const Val &iterable);
// The items of a tuple, list, range or 1-d array, specialised on its length in the compiling
// call; anything else is an item itself. `what` is for the error: "a shape".
std::vector<Val> itemsIn(TypedBuilder &e, const Val &sequence, llvm::StringRef what);
bool isSequence(const Val &v); // a tuple, list, range or 1-d array

} // namespace shapecast
