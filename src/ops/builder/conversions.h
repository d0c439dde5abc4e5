// Conversions of arrays and numbers.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// int(x), float(x), bool(x), complex(x)
Val toPy(TypedBuilder &e, const Val &v, PyKind kind);
// int(x), with all bits of an int beyond 64 and of a uint64.
Val integerOf(TypedBuilder &e, const Val &v);
// Of a Python or NumPy integer or a 0-d array of them (__index__); TypeError otherwise.
np::DimAttr toDim(TypedBuilder &e, const Val &v, llvm::StringRef wording = "");
// i1 or pybool typed, or constant
Val truth(TypedBuilder &e, const Val &v);

} // namespace shapecast
