// d.keys(), d.values() and d.items(): an iterator of the dict, so that it has what the dict has
// now.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

enum Viewed : unsigned { viewsNoDict, viewsValues, viewsItems, viewsKeys }; // Val::serial

Val dictView(TypedBuilder &e, llvm::StringRef kind, const Val &dict);
// Of a dict that is not in memory: a tuple, which a loop takes from the dict's cell. Others as they
// are.
Val withoutView(TypedBuilder &e, const Val &v);

} // namespace shapecast
