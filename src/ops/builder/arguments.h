// Arguments that NumPy's functions have in common: axes, dtypes, flags, casting=, order=.
#pragma once

#include "ops/builder/function.h"
#include "ops/ufunc/ufunc.h"

namespace shapecast {

DType dtypeOr(TypedBuilder &e, const Arguments &in, DType absent); // dtype=
// order='C', 'F', 'A' or 'K'; as a layout, the last two keep the order of `a`.
llvm::StringRef orderText(TypedBuilder &e, const Arguments &in, llvm::StringRef absent);
np::Layout orderArgument(TypedBuilder &e, const Arguments &in, const Val &a,
                         llvm::StringRef absent);
// One axis, or an int or tuple of axes in the given order: constants, normalised and checked.
// `name` is the prefix of NumPy's message.
int64_t axisArgument(TypedBuilder &e, const Val &v, int64_t rank, llvm::StringRef name = "");
llvm::SmallVector<int64_t> axesArgument(TypedBuilder &e, const Val &v, int64_t rank,
                                        llvm::StringRef name = "");
// An integer that must be a constant.
int64_t intArgument(TypedBuilder &e, const Arguments &in, llvm::StringRef name, int64_t absent);
bool flagArgument(TypedBuilder &e, const Arguments &in, llvm::StringRef name, bool absent);
// casting="same_kind" and its check, a TypeError.
Casting castingArgument(TypedBuilder &e, const Arguments &in);
void checkCast(TypedBuilder &e, DType from, DType to, Casting casting,
               llvm::StringRef what = "array data");

} // namespace shapecast
