// Matrix products.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val matmul(TypedBuilder &e, const Val &a, const Val &b); // a @ b
// A vector as a matrix of one row or one column; matrices as they are.
Val asMatrix(TypedBuilder &e, const Val &v, bool row);

} // namespace shapecast
