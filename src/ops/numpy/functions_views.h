// np.atleast_1d, 2d, 3d
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val atLeast(TypedBuilder &e, const Val &v, int64_t rank);

} // namespace shapecast
