// Members of an IntEnum beside NumPy's values.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// The value of a member as an operand beside `other`: NumPy takes an instance of a subclass of int
// or float as an int64 or float64, which is not weak (NEP 50).
Val asValueBeside(TypedBuilder &e, const Val &v, const Val &other);
Val asNumPyValue(TypedBuilder &e, const Val &v);
Val asNumPyValues(TypedBuilder &e, const Val &v); // in tuples and lists, too

} // namespace shapecast
