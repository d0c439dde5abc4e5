// A call of a ufunc with its keywords, numpy.name(operands, keyword=...), and of a scalar type:
// np.int8(given), np.int8().
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val callUfunc(TypedBuilder &e, llvm::StringRef name, llvm::SmallVector<Val> operands,
              llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
Val makeNumber(TypedBuilder &e, DType dtype, const Val *given);

} // namespace shapecast
