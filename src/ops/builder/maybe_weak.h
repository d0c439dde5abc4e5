// Maybe-weak scalars, which are Python numbers on some paths and NumPy scalars (or a wider Python
// type) on the others, and Unions. Python's promote weakly, NumPy's strongly (NEP 50): a result has
// one dtype only where both sides promote alike; everywhere else there is union splitting, a branch
// on which side it is at run time.
#pragma once

#include "ops/builder/typed_builder.h"
#include "ops/ufunc/ufunc.h"

namespace shapecast {

// The Python number, which it is where the flag is set.
Val weakSide(TypedBuilder &e, const Val &maybeWeak);
// Whether its `value` is exactly that number.
bool isExactAsPython(TypedBuilder &e, const Val &maybeWeak);
// Union splitting: branches on the flag or the discriminant, and joins f of each side or
// member. A join conflict where they have two dtypes.
Val unionSplit(TypedBuilder &e, const Val &maybeWeak, llvm::function_ref<Val(const Val &)> f);
Val unionSplit(TypedBuilder &e, llvm::ArrayRef<Val> operands, size_t which,
               llvm::function_ref<Val(llvm::ArrayRef<Val>)> f);
// Union splitting on the first operand that is maybe weak or a Union; none where none is.
std::optional<Val> unionSplitFirst(TypedBuilder &e, llvm::ArrayRef<Val> operands,
                                   llvm::function_ref<Val(llvm::ArrayRef<Val>)> f);
// 1 where both are Python numbers.
np::DimAttr jointWeakFlag(TypedBuilder &e, const Val &a, const Val &c);
// Maybe-weak operands whose sides promote alike become their strong side; splits on the first
// whose sides do not, and gives the result, by `apply` to each side.
std::optional<Val> splitUfunc(TypedBuilder &e, const Ufunc &ufunc,
                              llvm::SmallVectorImpl<Val> &operands, std::optional<DType> dtype,
                              llvm::function_ref<Val(llvm::ArrayRef<Val>)> apply);

} // namespace shapecast
