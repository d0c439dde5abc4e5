// Templates of strings that are known when compiling: "%d of %s" % (a, b), "{:>8} {}".format(a, b).
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// The parts of the string that such a thunk makes, constants and thunks of formats; none where
// Python is needed, for its errors too.
std::optional<std::vector<Val>> partsOfTemplate(TypedBuilder &e, const Val &thunk);

} // namespace shapecast
