// Reductions along axes.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val reduce(TypedBuilder &e, llvm::StringRef combine, mlir::Value value,
           llvm::ArrayRef<int64_t> axes, bool keepdims);
Val isAny(TypedBuilder &e, const Val &flags); // whether any is true, as a Python bool
// 2 to 4, known or assumed.
std::optional<int64_t> shortAxisSize(TypedBuilder &e, np::DimAttr size);

} // namespace shapecast
